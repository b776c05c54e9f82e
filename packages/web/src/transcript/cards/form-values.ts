import { checkContent, type FieldProblem } from "@rightseat/protocol/form/check-content";
import type { FormContent, FormField } from "@rightseat/protocol/form/form-field";

/** What stands in a field on the page. */
export type Typed = string | boolean | readonly string[];

/** What a form begins with: its defaults. A yes or no that has to be said begins with no, which is what an empty box looks like. */
export function firstValues(fields: readonly FormField[]): Record<string, Typed> {
	return Object.fromEntries(fields.map((field) => [field.name, firstValue(field)]));
}

function firstValue(field: FormField): Typed {
	if (field.kind === "boolean") return field.default ?? false;
	if (field.kind === "choices") return field.default ?? [];
	return field.default === undefined ? "" : String(field.default);
}

/** What goes out, or what is wrong with which field; an empty field has no value. */
export function readValues(
	fields: readonly FormField[],
	typed: Readonly<Record<string, Typed>>,
): { content: FormContent } | { problems: FieldProblem[] } {
	const values = fields.flatMap((field) => {
		const value = toValue(field, typed[field.name] ?? "");
		return value === undefined ? [] : [[field.name, value] as const];
	});
	const checked = checkContent(fields, Object.fromEntries(values));
	return checked.ok ? { content: checked.content } : { problems: checked.problems };
}

function toValue(field: FormField, typed: Typed): unknown {
	if (field.kind === "choices") return Array.isArray(typed) && typed.length === 0 && !field.required ? undefined : typed;
	if (typeof typed !== "string") return typed;
	if (typed === "") return undefined;
	if (field.kind === "number" || field.kind === "integer") return Number(typed);
	// The browser's own box for a time has no zone: the person means the one of this device.
	if (field.kind === "text" && field.format === "date-time" && /^[\dT:.-]+$/.test(typed)) return instantOf(typed);
	return typed;
}

function instantOf(local: string): string {
	const at = new Date(local);
	return Number.isNaN(at.getTime()) ? local : at.toISOString();
}
