import { checkField } from "@rightseat/protocol/form/check-content";
import type { FieldValue, FormField } from "@rightseat/protocol/form/form-field";
import { readForm } from "@rightseat/protocol/form/read-form";
import type { FormAction, FormRequest } from "@rightseat/protocol/model/form";
import { formSentences } from "@rightseat/protocol/sentences/form-sentences";
import { sayCoded } from "@rightseat/protocol/sentences/say-coded";
import type { Look } from "./look.ts";
import { safeLine, safeText } from "./safe-text.ts";

type Drawn = Pick<Look, "words" | "paint">;
/** What became of a line: rows to be shown before the next one, or all that is needed. */
export type FormStep = { rows: string[] } | { action: FormAction; content?: Record<string, FieldValue> };

/** A form that is filled in line by line; all of it goes out together at the end. */
export interface FormFilling {
	/** The field that the next line fills in. */
	rows(): string[];
	take(typed: string): FormStep;
}

/** Who asks for what, with every field; the last row says which keys there are. */
export function describeForm({ source, message, schema, url }: FormRequest, { words, paint }: Drawn): string[] {
	const [first = "", ...rest] = safeText(message).split("\n");
	const fields = fieldsOf(schema);
	return [
		`${paint("?", "yellow", "bold")} ${paint(`${words.formAsks(safeLine(source))} ${first}`, "bold")}`,
		...rest.map((line) => `  ${line}`),
		...(url === undefined ? [] : [`  ${safeLine(url)}`]),
		...fields.map((field) => `  · ${nameOf(field, words)}`),
		paint(`  ${fields.length > 0 ? words.formKeys : url === undefined ? words.formYesKeys : words.formPageKeys}`, "dim"),
	];
}

export function createFormFilling({ schema }: FormRequest, { words, paint }: Drawn): FormFilling {
	const fields = fieldsOf(schema);
	const values = new Map<string, FieldValue>();
	let step = 0;

	function take(field: FormField, given: unknown): FormStep {
		const checked = checkField(field, given);
		if ("reason" in checked) {
			const coded = { code: "form-invalid", message: field.title, params: { ...checked, title: field.title } };
			return { rows: [`${paint("!", "red", "bold")} ${safeLine(sayCoded(coded, words.language, formSentences))}`] };
		}
		if (checked.value === undefined) values.delete(field.name);
		else values.set(field.name, checked.value);
		step += 1;
		if (step < fields.length) return { rows: rows() };
		// Whoever sends it may be refused, and then begins again.
		step = 0;
		return { action: "accept", content: Object.fromEntries(values) };
	}

	function rows(): string[] {
		const field = fields[step];
		if (field === undefined) return [];
		const offered = "choices" in field ? field.choices : [];
		const about = field.description === undefined ? [] : safeText(field.description).split("\n");
		const enter = field.default === undefined ? (field.required ? "" : words.formSkip) : words.formDefault(safeLine(shownOf(field)));
		return [
			paint(`${step + 1}/${fields.length}  ${nameOf(field, words)}`, "bold"),
			...about.map((line) => `  ${line}`),
			...offered.map(({ title }, index) => `  ${paint(`${index + 1}`, "cyan")}  ${safeLine(title)}`),
			...[hintOf(field, words), enter].filter((hint) => hint !== "").map((hint) => paint(`  ${hint}`, "dim")),
		];
	}

	return {
		rows,
		take(typed) {
			const text = typed.trim();
			const key = KEYS.find(([letters]) => letters.includes(text.toLowerCase()))?.[1];
			if (key !== undefined) return { action: key };
			const field = fields[step];
			if (field !== undefined) return take(field, text === "" ? field.default : typedValue(field, text));
			return yesOrNo(text) === true ? { action: "accept", content: {} } : { rows: [paint(words.notAnAnswer, "dim")] };
		},
	};
}

const KEYS: readonly (readonly [readonly string[], FormAction])[] = [
	[["d"], "decline"],
	[["c"], "cancel"],
];

/** The server takes no form that cannot be read; of one of a newer server nothing can be filled in here. */
function fieldsOf(schema: unknown): FormField[] {
	const read = readForm(schema);
	return read.ok ? read.fields : [];
}

const nameOf = ({ title, required }: FormField, words: Drawn["words"]) => `${safeLine(title)}${required ? ` (${words.formNeeded})` : ""}`;

function hintOf({ kind }: FormField, words: Drawn["words"]): string {
	if (kind === "boolean") return words.formYesOrNo;
	return kind === "choice" ? words.answerNumber : kind === "choices" ? words.formNumbers : "";
}

/** The default as people read it. */
function shownOf(field: FormField): string {
	const titleOf = (value: string) =>
		("choices" in field ? field.choices.find((choice) => choice.value === value)?.title : undefined) ?? value;
	return Array.isArray(field.default) ? field.default.map(titleOf).join(", ") : titleOf(String(field.default));
}

/** What was typed, as the field takes it; what it does not take is left for the check. */
function typedValue(field: FormField, text: string): unknown {
	switch (field.kind) {
		case "boolean":
			return yesOrNo(text) ?? text;
		case "number":
		case "integer":
			return Number(text);
		case "choice":
			return chosen(field, text);
		case "choices":
			return [...new Set(text.split(/[\s,，、]+/).filter((one) => one !== ""))].map((one) => chosen(field, one));
		default:
			// A text that is a key otherwise.
			return /^\\[cd]$/i.test(text) ? text.slice(1) : text;
	}
}

/** By its number, or by its name. */
function chosen({ choices }: Extract<FormField, { kind: "choice" | "choices" }>, text: string): string {
	const numbered = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined;
	return (numbered ?? choices.find(({ value, title }) => [value, title].includes(text)))?.value ?? text;
}

function yesOrNo(text: string): boolean | undefined {
	if (["y", "yes", "true", "好", "是"].includes(text.toLowerCase())) return true;
	return ["n", "no", "false", "不", "否"].includes(text.toLowerCase()) ? false : undefined;
}
