import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { firstProblem, plainWords, sayWrongShape } from "./wrong-shape.ts";

const { localeError } = z.config();
beforeAll(() => void z.config(plainWords));
afterAll(() => void z.config({ localeError }));

const program = z.looseObject({ command: z.string(), args: z.optional(z.array(z.string()).check(z.maxLength(2), z.minLength(1))) });
const remote = z.looseObject({
	type: z.optional(z.enum(["http", "sse"])),
	url: z.string().check(z.startsWith("http", "Give a web address.")),
});
const servers = z.record(z.string().check(z.regex(/^\w+$/, "A name has letters.")), z.union([program, remote]));
const person = z.strictObject({
	name: z.string().check(z.minLength(1), z.maxLength(5)),
	age: z.int().check(z.gte(1), z.lte(130)),
	likes: z.optional(z.enum(["tea", "coffee", "milk"])),
	code: z.optional(z.string().check(z.minLength(4), z.regex(/^\d+$/))),
	part: z.optional(z.number().check(z.gt(0), z.lt(1))),
	rest: z.optional(z.union([z.boolean(), z.object({})], "Say whether to rest.")),
});
const fine = { name: "Ada", age: 36 };

const told = (schema: z.ZodMiniType, value: unknown) => {
	const read = schema.safeParse(value);
	return read.success ? "" : sayWrongShape(firstProblem(read.error.issues));
};

test.each<[z.ZodMiniType, unknown, string]>([
	[person, fine, ""],
	[person, undefined, "This is missing: give an object."],
	[person, null, "Give an object, not null."],
	[person, [fine], "Give an object, not a list."],
	[person, { age: 36 }, '"name": This is missing: give text.'],
	[person, { ...fine, name: true }, '"name": Give text, not true or false.'],
	[person, { ...fine, name: "" }, '"name": This is empty.'],
	[person, { ...fine, name: "Augusta" }, '"name": Give at most 5 characters.'],
	[person, { ...fine, age: "36" }, '"age": Give a number, not text.'],
	[person, { ...fine, age: 36.5 }, '"age": Give a whole number, not a fraction.'],
	[person, { ...fine, age: 0 }, '"age": Give at least 1.'],
	[person, { ...fine, age: 131 }, '"age": Give at most 130.'],
	[person, { ...fine, part: 0 }, '"part": Give more than 0.'],
	[person, { ...fine, part: 1 }, '"part": Give less than 1.'],
	[person, { ...fine, likes: "rum" }, '"likes": Give tea, coffee or milk.'],
	[person, { ...fine, code: "12" }, '"code": Give at least 4 characters.'],
	[person, { ...fine, code: "secret" }, '"code": This is not valid.'],
	[person, { ...fine, rest: 5 }, '"rest": Say whether to rest.'],
	[person, { ...fine, [`key-${"x".repeat(60)}`]: 1 }, `There is no field "key-${"x".repeat(36)}" here.`],
])("[HT159] of %o and %o is said: %s", (schema, value, sentence) => {
	expect(told(schema, value)).toBe(sentence);
});

test.each<[unknown, string]>([
	[{ a: { command: "ls" } }, ""],
	[{ "a b": { command: "ls" } }, '"a b": A name has letters.'],
	[{ a: { command: 5 } }, '"a.command": Give text, not a number.'],
	[{ a: { url: 5 } }, '"a.url": Give text, not a number.'],
	[{ a: { type: "http", url: "file:///secret" } }, '"a.url": Give a web address.'],
	[{ a: { type: "ftp", url: "http://x" } }, '"a.type": Give http or sse.'],
	[{ a: { command: "ls", args: [1] } }, '"a.args.0": Give text, not a number.'],
	[{ a: { command: "ls", args: [] } }, '"a.args": This list is empty.'],
	[{ a: { command: "ls", args: ["1", "2", "3"] } }, '"a.args": Give at most 2 of these.'],
	[{ a: {} }, '"a.command": This is missing: give text.'],
	[{ a: "ls" }, '"a": Give an object, not text.'],
])("[HT159] in a record of unions %j is told as %s", (value, sentence) => {
	expect(told(servers, value)).toBe(sentence);
});

test("[HT159] without words of our own a union still says where it is wrong", () => {
	z.config({ localeError: () => undefined });
	expect(told(servers, { "a b": { command: "ls" } })).toBe('"a b": A name has letters.');
	z.config(plainWords);
	expect(firstProblem([])).toEqual({ field: "", problem: "This is not valid." });
});
