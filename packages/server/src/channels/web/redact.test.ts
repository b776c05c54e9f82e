import { expect, test } from "vitest";
import { createRedactor, REDACTED } from "./redact.ts";

test("[SE26] exact secret values are replaced wherever they stand, also escaped", () => {
	const redact = createRedactor(['s3cret"value', "s3cret", "longer-than-longer", "longer-than", undefined]);
	expect(redact('a s3cret"value b')).toBe(`a ${REDACTED} b`);
	expect(redact(JSON.stringify({ key: 's3cret"value' }))).toBe(`{"key":"${REDACTED}"}`);
	expect(redact(encodeURIComponent('s3cret"value'))).toBe(REDACTED);
	expect(redact(Buffer.from('s3cret"value').toString("base64"))).toBe(REDACTED);
	expect(redact("longer-than-longer")).toBe(REDACTED);
});

test("[SE26] short values are left alone: they would hide ordinary words", () => {
	expect(createRedactor(["abc"])("abcdef")).toBe("abcdef");
});
