import { expect, test } from "vitest";
import { ERROR_CODES } from "../../packages/server/src/core/kernel/errors.ts";
import { readSources, withoutComments } from "./support/source-files.ts";

const product = readSources(["packages"]).filter((file) => /^packages\/\w+\/src\//.test(file.path) && !file.isTest);
const withoutTexts = (text: string) => withoutComments(text).replace(/`(?:\\.|[^`\\])*`/g, "``");
const linesWith = (pattern: RegExp, files = product) =>
	files.flatMap((file) =>
		withoutTexts(file.text)
			.split("\n")
			.filter((line) => pattern.test(line))
			.map((line) => `${file.path}: ${line.trim()}`),
	);

test("[AR140] every error of the product is a typed one: AppError on the server, the platform's own on the page", () => {
	expect(linesWith(/\bnew Error\(/)).toEqual([]);
});

test("[AR140] only the adapter of the SDK reaches into objects that it does not know", () => {
	const others = product.filter((file) => !file.path.startsWith("packages/server/src/runtime/copilot/"));
	expect(linesWith(/\bReflect\.get\b/, others)).toEqual([]);
});

test("[AR141] what is read from JSON is unknown until a schema says what it is; our own database is believed in one place", () => {
	const believed = linesWith(/(?:(?:const|let)\s+(?:\w+|\{[^}]*\})\s*=|return)\s*JSON\.parse\(/).filter(
		(line) => !/(?:own-json|logger|write-ahead-outbox|start-demo-model|index-journal)\.ts: return/.test(line),
	);
	expect(believed).toEqual([]);
});

test("[AR142] every error code is produced somewhere", () => {
	const words = /\/(?:kernel\/errors|http\/http-errors|messages\/[\w-]+)\.ts$/;
	const server = product.filter(
		(file) => file.path.startsWith("packages/") && !file.path.startsWith("packages/web/") && !words.test(file.path),
	);
	const text = server.map((file) => withoutComments(file.text)).join("\n");
	expect(ERROR_CODES.filter((code) => !new RegExp(`(?<![!=]== )"${code}"`).test(text))).toEqual([]);
});

test("[AR145] the log has one dialect: an error is the field `err`, and a message ends without a full stop", () => {
	const calls = product.flatMap((file) =>
		[...withoutComments(file.text).matchAll(/\blogger\??\.(?:debug|info|warn|error|fatal)\(\s*(\{[^{}]*\}),\s*(?:"([^"]*)")?/g)].map(
			([, fields = "", message = ""]) => ({ path: file.path, fields, message }),
		),
	);
	expect(calls.length).toBeGreaterThan(100);
	expect(calls.filter(({ fields, message }) => /[{,]\s*error\b/.test(fields) || message.endsWith("."))).toEqual([]);
});

test("[AR146] what is exported is used elsewhere; types may be, as part of what a function takes or gives", () => {
	const files = [...readSources(["packages", "test", "bench"]), ...readSources(["scripts"], /\.mjs$/)];
	const words = files.map((file) => ({ path: file.path, words: new Set(file.text.match(/\w+/g)) }));
	const unused = product
		// The protocol is what outsiders import.
		.filter((file) => !file.path.startsWith("packages/protocol/"))
		.flatMap((file) =>
			[...file.text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)]
				.map(([, name = ""]) => name)
				.filter((name) => !words.some((other) => other.path !== file.path && other.words.has(name)))
				.map((name) => `${file.path}: ${name}`),
		);
	expect(unused).toEqual([]);
});

/** Each checks every field that its type has, or hands that to a schema of shapes. */
const HONEST_GUARDS = [
	...[
		"isFastifyError",
		"isFolderReply",
		"isFolderRequest",
		"isFromShelld",
		"isFromTrackerd",
		"isKeepMessage",
		"isLanguageMessage",
		"isOneOf",
	],
	...["isOpenWindow", "isSqliteModule", "isThenable", "isToShelld", "isToTrackerd"],
];

test("[AR155] a type guard over unknown data is one of those that were read and found to check what they claim", () => {
	const guards = product.flatMap((file) =>
		[...withoutComments(file.text).matchAll(/(?:function|const) (\w+)[^\n]*\b(\w+): unknown[^\n]*\): \2 is /g)].map(
			([, name = ""]) => name,
		),
	);
	expect(guards.sort()).toEqual(HONEST_GUARDS);
});

/** Of all exports this share has a sentence with its contract. */
const DOCUMENTED_SHARE = 0.6;

test("[AR157] three of five exports say in a sentence what they promise", () => {
	const exported = product.flatMap((file) => {
		const lines = file.text.split("\n");
		return lines.flatMap((line, at) =>
			/^export (?:async )?(?:const|function\*?|class|interface|type)\b/.test(line) ? [lines[at - 1]?.trim().endsWith("*/") === true] : [],
		);
	});
	expect(exported.length).toBeGreaterThan(1_500);
	expect(exported.filter((isDocumented) => isDocumented).length / exported.length).toBeGreaterThan(DOCUMENTED_SHARE);
});
