import { fieldOf } from "../model/field.ts";
import type { FieldValue, FormContent, FormField, TextFormat } from "./form-field.ts";

/** Of one text in a form, in UTF-16 units, whatever its schema allows. */
export const MAX_FORM_TEXT_CHARS = 65_536;

/** What is wrong with the value of a field. */
export type FieldFault =
	| { reason: "required" | "type" | "choice" | TextFormat | "unknown-field" }
	| { reason: "too-short" | "too-long" | "too-small" | "too-large" | "too-few" | "too-many"; limit: number };
/** A field whose value cannot be taken. */
export type FieldProblem = FieldFault & { field: string };

/** What was filled in, checked, or what is wrong with it, at most one problem a field. */
export type CheckedContent = { ok: true; content: FormContent } | { ok: false; problems: FieldProblem[] };

/** Checks what a person filled in: nobody behind us does. A field without a value may be left out or null. */
export function checkContent(fields: readonly FormField[], given: unknown): CheckedContent {
	const problems: FieldProblem[] = [];
	const values: [string, FieldValue][] = [];
	for (const field of fields) {
		const checked = checkField(field, fieldOf(given, field.name));
		if ("reason" in checked) problems.push({ field: field.name, ...checked });
		else if (checked.value !== undefined) values.push([field.name, checked.value]);
	}
	const known = new Set(fields.map(({ name }) => name));
	const strange = Object.keys(Object(given)).filter((name) => !known.has(name));
	for (const field of strange.slice(0, 1)) problems.push({ field, reason: "unknown-field" });
	return problems.length === 0 ? { ok: true, content: Object.fromEntries(values) } : { ok: false, problems };
}

/** The value of one field, or what is wrong with it. */
export function checkField(field: FormField, value: unknown): { value: FieldValue | undefined } | FieldFault {
	if (value === undefined || value === null) return field.required ? { reason: "required" } : { value: undefined };
	switch (field.kind) {
		case "text":
			return typeof value === "string" ? checkText(field, value) : { reason: "type" };
		case "number":
		case "integer":
			return checkNumber(field, value);
		case "boolean":
			return typeof value === "boolean" ? { value } : { reason: "type" };
		case "choice":
			return field.choices.some((choice) => choice.value === value) ? { value: String(value) } : { reason: "choice" };
		case "choices":
			return checkChoices(field, value);
	}
}

function checkText(field: Extract<FormField, { kind: "text" }>, value: string): { value: string } | FieldFault {
	const { minLength = 0, maxLength = MAX_FORM_TEXT_CHARS, format } = field;
	if (value.length > MAX_FORM_TEXT_CHARS) return { reason: "too-long", limit: MAX_FORM_TEXT_CHARS };
	// As JSON Schema counts: a surrogate pair is one character.
	const length = [...value].length;
	if (length < minLength) return { reason: "too-short", limit: minLength };
	if (length > maxLength) return { reason: "too-long", limit: maxLength };
	return format === undefined || FORMATS[format](value) ? { value } : { reason: format };
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
/** A day that the calendar has: `Date` takes 30 February for 1 March. */
const isDay = (text: string) => DATE.test(text) && new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
const FORMATS: Record<TextFormat, (text: string) => boolean> = {
	email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
	uri: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text),
	date: isDay,
	"date-time": (text) => isDay(DATE_TIME.exec(text)?.[1] ?? "") && !Number.isNaN(Date.parse(text)),
};

function checkNumber(field: Extract<FormField, { kind: "number" | "integer" }>, value: unknown): { value: number } | FieldFault {
	if (typeof value !== "number" || !Number.isFinite(value)) return { reason: "type" };
	if (field.kind === "integer" && !Number.isInteger(value)) return { reason: "type" };
	if (field.minimum !== undefined && value < field.minimum) return { reason: "too-small", limit: field.minimum };
	if (field.maximum !== undefined && value > field.maximum) return { reason: "too-large", limit: field.maximum };
	return { value };
}

function checkChoices(field: Extract<FormField, { kind: "choices" }>, value: unknown): { value: string[] } | FieldFault {
	if (!Array.isArray(value)) return { reason: "type" };
	const chosen = field.choices.map((choice) => choice.value).filter((one) => value.includes(one));
	// Each at most once, and none that is not offered.
	if (chosen.length !== value.length) return { reason: "choice" };
	if (field.minItems !== undefined && chosen.length < field.minItems) return { reason: "too-few", limit: field.minItems };
	if (field.maxItems !== undefined && chosen.length > field.maxItems) return { reason: "too-many", limit: field.maxItems };
	return { value: chosen };
}
