import { expect, test } from "vitest";
import { checkContent, MAX_FORM_TEXT_CHARS } from "./check-content.ts";
import type { FormField } from "./form-field.ts";
import { MAX_FORM_CHOICES, MAX_FORM_FIELDS, readForm } from "./read-form.ts";

const SCHEMA = {
	$schema: "http://json-schema.org/draft-07/schema#",
	type: "object",
	additionalProperties: false,
	properties: {
		name: { type: "string", title: "Your name", description: "As on the door", minLength: 2, maxLength: 5, default: "Ada" },
		mail: { type: "string", format: "email" },
		page: { type: "string", format: "uri" },
		day: { type: "string", format: "date" },
		at: { type: "string", format: "date-time" },
		age: { type: "integer", minimum: 1, maximum: 150, default: 7 },
		share: { type: "number" },
		sure: { type: "boolean", default: false },
		size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"], default: "l" },
		colour: { type: "string", oneOf: [{ const: "r", title: "Red" }, { const: "g" }] },
		tags: { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, minItems: 1, maxItems: 2, default: ["a", "z"] },
		more: { type: "array", items: { anyOf: [{ const: "x", title: "X" }] } },
	},
	required: ["name", "sure"],
};

function fieldsOf(schema: unknown): FormField[] {
	const read = readForm(schema);
	if (!read.ok) throw new Error(`unreadable: ${read.field}`);
	return read.fields;
}

test("[FO1] a form is one flat object; each of its fields is read with its words, bounds, choices and default", () => {
	const about = (name: string, title = name) => ({ name, title, required: ["name", "sure"].includes(name) });
	expect(fieldsOf(SCHEMA)).toEqual([
		{ kind: "text", minLength: 2, maxLength: 5, default: "Ada", ...about("name", "Your name"), description: "As on the door" },
		{ kind: "text", format: "email", ...about("mail") },
		{ kind: "text", format: "uri", ...about("page") },
		{ kind: "text", format: "date", ...about("day") },
		{ kind: "text", format: "date-time", ...about("at") },
		{ kind: "integer", minimum: 1, maximum: 150, default: 7, ...about("age") },
		{ kind: "number", ...about("share") },
		{ kind: "boolean", default: false, ...about("sure") },
		{
			kind: "choice",
			choices: [
				{ value: "s", title: "Small" },
				{ value: "l", title: "Large" },
			],
			default: "l",
			...about("size"),
		},
		{
			kind: "choice",
			choices: [
				{ value: "r", title: "Red" },
				{ value: "g", title: "g" },
			],
			...about("colour"),
		},
		{
			kind: "choices",
			choices: ["a", "b", "c"].map((value) => ({ value, title: value })),
			...{ minItems: 1, maxItems: 2, default: ["a"] },
			...about("tags"),
		},
		{ kind: "choices", choices: [{ value: "x", title: "X" }], ...about("more") },
	]);
	expect(fieldsOf({ type: "object", properties: {} })).toEqual([]);
});

test("[FO2] what a person could not fill in, or we could not check, makes the form unreadable", () => {
	const one = (property: unknown) => readForm({ type: "object", properties: { x: property } });
	for (const property of [
		{ type: "object", properties: { y: { type: "string" } } },
		{ type: "array", items: { type: "object" } },
		{ type: "array", items: { type: "string" } },
		{ type: "array", items: { type: "array", items: { enum: ["a"] } } },
		{ type: ["string", "null"] },
		{ type: "null" },
		{ $ref: "#/properties/x" },
		{ type: "string", not: { const: "a" } },
		{ type: "string", enum: [1, 2] },
		{ type: "string", enum: [] },
		{ type: "string", enum: Array.from({ length: MAX_FORM_CHOICES + 1 }, String) },
		{ type: "number", enum: [1, 2] },
		"string",
		null,
	])
		expect(one(property), JSON.stringify(property)).toEqual({ ok: false, field: "x" });
	const many = Object.fromEntries(Array.from({ length: MAX_FORM_FIELDS + 1 }, (_, index) => [`f${index}`, { type: "string" }]));
	for (const schema of [
		undefined,
		"x",
		[],
		{ type: "array" },
		{ properties: {} },
		{ type: "object", properties: [] },
		{ type: "object", properties: many },
		{ type: "object", properties: {}, required: "x" },
		{ type: "object", properties: {}, allOf: [{}] },
	])
		expect(readForm(schema), JSON.stringify(schema)).toEqual({ ok: false, field: "" });
	expect(readForm({ type: "object", properties: {}, required: ["ghost"] })).toEqual({ ok: false, field: "ghost" });
});

test("[FO3] what was filled in is checked field by field; only what the form asks for goes on", () => {
	const fields = fieldsOf(SCHEMA);
	const fine = {
		...{ name: "Bob😀", mail: "b@example.org", page: "https://example.org/x", day: "2026-02-28", at: "2026-02-28T12:00:00+01:00" },
		...{ age: 42, share: 0.5, sure: true, size: "s", colour: "r", tags: ["b", "a"] },
	};
	expect(checkContent(fields, { ...fine, more: null })).toEqual({ ok: true, content: { ...fine, tags: ["a", "b"] } });
	const wrong = (more: object) => {
		const checked = checkContent(fields, { ...fine, ...more });
		return checked.ok ? [] : checked.problems;
	};
	const cases: [object, object][] = [
		[{ name: undefined }, { field: "name", reason: "required" }],
		[{ name: "A" }, { field: "name", reason: "too-short", limit: 2 }],
		[{ name: "Adalie" }, { field: "name", reason: "too-long", limit: 5 }],
		[{ name: 5 }, { field: "name", reason: "type" }],
		[{ mail: "nobody" }, { field: "mail", reason: "email" }],
		[{ page: "example.org" }, { field: "page", reason: "uri" }],
		[{ day: "2026-02-30" }, { field: "day", reason: "date" }],
		[{ at: "2026-02-28 12:00" }, { field: "at", reason: "date-time" }],
		[{ at: "2026-02-28T25:00:00Z" }, { field: "at", reason: "date-time" }],
		[{ age: 1.5 }, { field: "age", reason: "type" }],
		[{ age: "7" }, { field: "age", reason: "type" }],
		[{ age: 0 }, { field: "age", reason: "too-small", limit: 1 }],
		[{ age: 151 }, { field: "age", reason: "too-large", limit: 150 }],
		[{ share: Number.NaN }, { field: "share", reason: "type" }],
		[{ sure: "yes" }, { field: "sure", reason: "type" }],
		[{ size: "m" }, { field: "size", reason: "choice" }],
		[{ tags: [] }, { field: "tags", reason: "too-few", limit: 1 }],
		[{ tags: ["a", "b", "c"] }, { field: "tags", reason: "too-many", limit: 2 }],
		[{ tags: ["a", "a"] }, { field: "tags", reason: "choice" }],
		[{ tags: "a" }, { field: "tags", reason: "type" }],
		[{ extra: 1 }, { field: "extra", reason: "unknown-field" }],
	];
	for (const [more, problem] of cases) expect(wrong(more), JSON.stringify(more)).toEqual([problem]);
	const free = fieldsOf({ type: "object", properties: { x: { type: "string" } } });
	expect(checkContent(free, { x: "y".repeat(MAX_FORM_TEXT_CHARS + 1) })).toMatchObject({ ok: false, problems: [{ reason: "too-long" }] });
	expect(checkContent(free, "x")).toMatchObject({ ok: false });
	expect(checkContent([], undefined)).toEqual({ ok: true, content: {} });
	// A field may be called anything.
	const odd = fieldsOf(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'));
	expect(checkContent(odd, {})).toMatchObject({ ok: false, problems: [{ field: "__proto__", reason: "required" }] });
});
