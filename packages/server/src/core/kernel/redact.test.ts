import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, hideTokenShapes, MAX_SECRETS } from "./redact.ts";
import { createStreamRedactor, REDACTED, redactForms } from "./redact-stream.ts";

test("[SE26] exact secret values are replaced wherever they stand, also escaped", () => {
	const { text } = createRedactor(['s3cret"value', "s3cret", "longer-than-longer-1", "longer-than-long", undefined]);
	expect(text('a s3cret"value b')).toBe(`a ${REDACTED} b`);
	expect(text(JSON.stringify({ key: 's3cret"value' }))).toBe(`{"key":"${REDACTED}"}`);
	expect(text(encodeURIComponent('s3cret"value'))).toBe(REDACTED);
	expect(text(Buffer.from('s3cret"value').toString("base64"))).toBe(REDACTED);
	expect(text("longer-than-longer-1")).toBe(REDACTED);
});

test.each(["lm-studio", "ollama", "password", "no-key", "Lm-Studio", "abc", "dummykey"])(
	"[SE146] a dummy key that is a word hides nothing that people read: %s",
	(key) => {
		const redactor = createRedactor([key]);
		const sentence = `I use ${key} at home.`;
		expect(redactor.text(sentence)).toBe(sentence);
		expect(redactor.value({ sentence })).toEqual({ sentence });
		expect(redactor.stream().take(sentence)).toBe(sentence);
	},
);

test.each(["aB3dE6gH", "x7-k9-q2-p4", "correct horse battery staple", "0123456789abcdef"])(
	"[SE146] a key of 16 characters, or a shorter one that looks random, is hidden: %s",
	(key) => expect(createRedactor([key]).text(`key: ${key}.`)).toBe(`key: ${REDACTED}.`),
);

test("[SE146] in logs and errors a dummy key of eight characters is hidden too", () => {
	expect(createRedactor(["lm-studio"]).line("401 for lm-studio")).toBe(`401 for ${REDACTED}`);
});

test("[RT56] keys and tokens are taken out of what people see of errors", () => {
	const { line } = createRedactor(["my-own-provider-key", undefined, "abc"]);
	expect(line("key my-own-provider-key refused")).toBe("key [redacted] refused");
	expect(line("Authorization: Bearer abcdef0123456789")).toBe("Authorization: Bearer [redacted]");
	expect(line("used ghp_abcdefghijklmnop1234 and sk-proj-abcdefghijklmnop")).toBe("used [redacted] and [redacted]");
	expect(line("https://user:secret@host/v1?api_key=12345678&x=1")).toBe("https://[redacted]@host/v1?api_key=[redacted]&x=1");
	expect(line("abc is too short to be a secret")).toBe("abc is too short to be a secret");
});

test("[SE144] what looks like somebody's token stays in a conversation: people work with such texts", () => {
	const text = "Send Authorization: Bearer abcdef0123456789 with ghp_abcdefghijklmnop1234";
	expect(createRedactor(["some-other-secret-of-ours"]).text(text)).toBe(text);
	expect(hideTokenShapes(text)).not.toContain("ghp_");
});

test("[SE144] what is learnt later is hidden from then on, by everything that was given out before", () => {
	const redactor = createRedactor(["the-first-secret-value"]);
	const { text, value, line } = redactor;
	const stream = redactor.stream();
	redactor.hide("the-second-secret-value");
	expect(text("the-first-secret-value the-second-secret-value")).toBe(`${REDACTED} ${REDACTED}`);
	expect(value(["the-second-secret-value"])).toEqual([REDACTED]);
	expect(line("the-second-secret-value")).toBe(REDACTED);
	expect(stream.take("the-second-") + stream.take("secret-value")).toBe(REDACTED);
});

test("[SE144] the values kept are bounded, the newest stay", () => {
	const redactor = createRedactor([]);
	for (let i = 0; i <= MAX_SECRETS; i += 1) redactor.hide(`rotated-token-number-${i}`);
	expect(redactor.text(`rotated-token-number-0. rotated-token-number-${MAX_SECRETS}.`)).toBe(`rotated-token-number-0. ${REDACTED}.`);
});

test("[SE144] a value without a secret is the very same value; one with a secret is new, keys included", () => {
	const redactor = createRedactor(["the-first-secret-value"]);
	const clean = { a: [1, null, { b: "text" }], c: undefined };
	expect(redactor.value(clean)).toBe(clean);
	const dirty = { a: [1, { "the-first-secret-value": "x the-first-secret-value" }] };
	expect(redactor.value(dirty)).toEqual({ a: [1, { [REDACTED]: `x ${REDACTED}` }] });
	expect(JSON.stringify(dirty)).toContain("the-first-secret-value");
});

test("[SE145] whatever the pieces, what comes out is what the whole text would have become", () => {
	const forms = ["abcabd", "bcab", "abca", "cc"];
	const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 12, size: "max" });
	fc.assert(
		fc.property(fc.array(letters, { maxLength: 12, size: "max" }), (pieces) => {
			const stream = createStreamRedactor(() => forms);
			const out = pieces.map((piece) => stream.take(piece)).join("") + stream.rest();
			expect(out).toBe(redactForms(pieces.join(""), forms));
		}),
		{ numRuns: 2_000 },
	);
});

test("[SE145] only what could be the beginning of a secret waits, and never longer than the secret", () => {
	const stream = createStreamRedactor(() => ["sk-12345"]);
	expect(stream.take("tasks and s")).toBe("tasks and ");
	expect(stream.take("k")).toBe("");
	expect(stream.take("y, sk-1234")).toBe("sky, ");
	expect([stream.isWaiting(), stream.rest()]).toEqual([true, "sk-1234"]);
	expect(stream.take(" and")).toBe("sk-1234 and");
	expect([stream.isWaiting(), stream.rest()]).toEqual([false, ""]);
});
