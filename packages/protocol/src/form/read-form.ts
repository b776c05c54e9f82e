import { fieldOf } from "../model/field.ts";
import type { FieldKind, FormChoice, FormField, TextFormat } from "./form-field.ts";

/** Fields of one form, and choices of one field. */
export const MAX_FORM_FIELDS = 50;
export const MAX_FORM_CHOICES = 500;

/** The fields of a form, or why it cannot be shown: there is something in it that a person could not fill in, or that we could not check. */
export type ReadForm = { ok: true; fields: FormField[] } | { ok: false; field: string };

/**
 * Reads the schema of a form: one flat object of texts, numbers, yes and no, and choices. What is only said about a field is ignored; a nested field, an
 * unknown type or a keyword with a structure of its own makes the form unreadable.
 */
export function readForm(schema: unknown): ReadForm {
	const properties = fieldOf(schema, "properties") ?? {};
	const required = textsOf(fieldOf(schema, "required") ?? []);
	const names = isObject(properties) ? Object.keys(Object(properties)) : [];
	const isFlat = isObject(properties) && fieldOf(schema, "type") === "object" && isPlain(schema, ["properties", "required"]);
	if (!isFlat || names.length > MAX_FORM_FIELDS || required === undefined) return { ok: false, field: "" };
	const missing = required.find((name) => !names.includes(name));
	if (missing !== undefined) return { ok: false, field: missing };
	const fields: FormField[] = [];
	for (const name of names) {
		const property = fieldOf(properties, name);
		const kind = readKind(property);
		if (kind === undefined) return { ok: false, field: name };
		const [title, description] = [textOf(property, "title") ?? "", textOf(property, "description")];
		const about = { name, title: title.trim() === "" ? name : title, required: required.includes(name) };
		fields.push({ ...kind, ...about, ...(description === undefined ? {} : { description }) });
	}
	return { ok: true, fields };
}

function readKind(property: unknown): FieldKind | undefined {
	switch (fieldOf(property, "type")) {
		case "string":
			return readText(property);
		case "number":
		case "integer":
			return isPlain(property, []) ? readNumber(property) : undefined;
		case "boolean": {
			const given = fieldOf(property, "default");
			return isPlain(property, []) ? { kind: "boolean", ...(typeof given === "boolean" ? { default: given } : {}) } : undefined;
		}
		case "array":
			return readChoices(property);
		default:
			return undefined;
	}
}

function readText(property: unknown): FieldKind | undefined {
	if (!isPlain(property, ["enum", "enumNames", "oneOf", "anyOf"])) return undefined;
	const given = textOf(property, "default");
	const choices = readListed(property);
	if (choices === "unreadable") return undefined;
	if (choices !== undefined) {
		const isListed = choices.some(({ value }) => value === given);
		return { kind: "choice", choices, ...(given !== undefined && isListed ? { default: given } : {}) };
	}
	const format = FORMATS.find((known) => known === fieldOf(property, "format"));
	return {
		kind: "text",
		...(format === undefined ? {} : { format }),
		...bounds(property, "minLength", "maxLength"),
		...(given === undefined ? {} : { default: given }),
	};
}

const FORMATS: readonly TextFormat[] = ["email", "uri", "date", "date-time"];

function readNumber(property: unknown): FieldKind {
	const kind = fieldOf(property, "type") === "integer" ? "integer" : "number";
	const given = fieldOf(property, "default");
	return { kind, ...bounds(property, "minimum", "maximum"), ...(typeof given === "number" ? { default: given } : {}) };
}

function readChoices(property: unknown): FieldKind | undefined {
	const items = fieldOf(property, "items");
	const type = fieldOf(items, "type") ?? "string";
	const isKnown = isPlain(property, ["items", "default"]) && isPlain(items, ["enum", "enumNames", "oneOf", "anyOf"]) && type === "string";
	const choices = isKnown ? readListed(items) : undefined;
	if (choices === undefined || choices === "unreadable") return undefined;
	const given = textsOf(fieldOf(property, "default"));
	const chosen = given?.filter((one) => choices.some(({ value }) => value === one));
	return { kind: "choices", choices, ...bounds(property, "minItems", "maxItems"), ...(chosen === undefined ? {} : { default: chosen }) };
}

/** The choices of a field; undefined: it has none to choose from. */
function readListed(property: unknown): FormChoice[] | "unreadable" | undefined {
	const [values, names] = [fieldOf(property, "enum"), textsOf(fieldOf(property, "enumNames"))];
	const titled = fieldOf(property, "oneOf") ?? fieldOf(property, "anyOf");
	if (values === undefined && titled === undefined) return undefined;
	const listed = values ?? titled;
	if (!Array.isArray(listed) || listed.length === 0 || listed.length > MAX_FORM_CHOICES) return "unreadable";
	const choices = listed.flatMap((item: unknown, index): FormChoice[] => {
		const value = values === undefined ? fieldOf(item, "const") : item;
		const title = values === undefined ? textOf(item, "title") : names?.[index];
		return typeof value === "string" ? [{ value, title: title ?? value }] : [];
	});
	return choices.length === listed.length ? choices : "unreadable";
}

function bounds<Name extends string>(property: unknown, ...names: Name[]): Partial<Record<Name, number>> {
	const found: Partial<Record<Name, number>> = {};
	for (const name of names) {
		const value = fieldOf(property, name);
		if (typeof value === "number" && Number.isFinite(value)) found[name] = value;
	}
	return found;
}

/** Has it nothing below it but what is named here? */
function isPlain(value: unknown, structures: readonly string[]): boolean {
	if (!isObject(value)) return false;
	return Object.entries(Object(value)).every(([name, below]) => structures.includes(name) || typeof below !== "object" || below === null);
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
/** The list, if it is one of texts. */
function textsOf(value: unknown): string[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const texts = value.filter((item) => typeof item === "string");
	return texts.length === value.length ? texts : undefined;
}
const textOf = (value: unknown, name: string) => {
	const found = fieldOf(value, name);
	return typeof found === "string" ? found : undefined;
};
