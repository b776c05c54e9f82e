import { checkField } from "@rightseat/protocol/form/check-content";
import type { FieldValue, FormContent, FormField } from "@rightseat/protocol/form/form-field";
import { readForm } from "@rightseat/protocol/form/read-form";
import type { FormRequest } from "@rightseat/protocol/model/form";
import { formSentences } from "@rightseat/protocol/sentences/form-sentences";
import { sayCoded } from "@rightseat/protocol/sentences/say-coded";
import type { InlineKeyboardButton } from "grammy/types";
import type { ButtonAction } from "../commands/buttons.ts";
import { type AskMessage, firstMessage, type SpokenAsk } from "./ask-messages.ts";
import { oneLine } from "./status-text.ts";

const MAX_BUTTON_CHARS = 60;
/** Of a field with more choices the answer is typed. */
const MAX_CHOICE_BUTTONS = 40;

/** A tap on a button of a form; `step` is the field that it was drawn for. */
export type FormTap = Extract<ButtonAction, { kind: "form" }>;
/** What a person has said with it: on to the next field, or everything is there. */
export type FormStep = { kind: "next" } | { kind: "late" } | { kind: "accept"; content: FormContent } | { kind: "decline" };

/** A form in a chat: one field after the other, and all of them go out together at the end. */
export interface FormWizard {
	message(): AskMessage;
	/** Does the next message fill in the field? */
	takesText(): boolean;
	type(text: string): FormStep;
	tap(tap: FormTap): FormStep;
}

export function createFormWizard(request: FormRequest, spoken: SpokenAsk): FormWizard {
	const { words, redact, conversationId, button } = spoken;
	const read = readForm(request.schema);
	const fields = read.ok ? read.fields : [];
	const values: [string, FieldValue][] = [];
	let step = 0;
	let chosen: string[] = [];
	let problem = "";
	const head = `${words.formAsks(redact(request.source))}\n${redact(request.message)}`;
	const { requestId, url } = request;

	function make(text: string, does: Omit<FormTap, "kind" | "conversationId" | "requestId" | "step">): InlineKeyboardButton[] {
		return [button(oneLine(text, MAX_BUTTON_CHARS), { kind: "form", conversationId, requestId, step, ...does })];
	}

	function goOn(): FormStep {
		step += 1;
		chosen = [];
		problem = "";
		return step >= fields.length ? { kind: "accept", content: Object.fromEntries(values) } : { kind: "next" };
	}

	function take(field: FormField, given: unknown): FormStep {
		const checked = checkField(field, given);
		if ("reason" in checked) {
			const coded = { code: "form-invalid", message: field.title, params: { ...checked, title: field.title } };
			problem = words.notice({ ...coded, message: sayCoded(coded, "en", formSentences) });
			return { kind: "next" };
		}
		if (checked.value !== undefined) values.push([field.name, checked.value]);
		return goOn();
	}

	function keyboardOf(field: FormField | undefined): InlineKeyboardButton[][] {
		const decline = make(words.formDecline, { what: "decline" });
		if (field === undefined) return [make(url === undefined ? words.formYes : words.formDone, { what: "done" }), decline];
		const skip = field.required ? [] : [make(words.formSkip, { what: "skip" })];
		if (field.kind === "boolean")
			return [
				make(words.formYes, { what: "choose", value: "true" }),
				make(words.formNo, { what: "choose", value: "false" }),
				...skip,
				decline,
			];
		const choices = choicesOf(field).map(({ value, title }) => {
			const mark = field.kind === "choices" ? (chosen.includes(value) ? "☑ " : "☐ ") : "";
			return make(`${mark}${title}`, { what: "choose", value });
		});
		const done = field.kind === "choices" ? [make(words.formDone, { what: "done" })] : [];
		return [...choices, ...done, ...skip, decline];
	}

	return {
		message() {
			const field = fields[step];
			const about = field === undefined ? (url ?? "") : describe(field, step, fields.length);
			const hint = field !== undefined && isTyped(field) ? words.nextIsAnswer : "";
			const text = [head, redact(about), problem === "" ? "" : `⚠️ ${problem}`, hint].filter((part) => part !== "").join("\n\n");
			return { head, content: { text: firstMessage(text), entities: [], keyboard: keyboardOf(field) } };
		},
		takesText() {
			const field = fields[step];
			return field !== undefined && isTyped(field);
		},
		type(text) {
			const field = fields[step];
			return field === undefined ? { kind: "late" } : take(field, typedValue(field, text.trim()));
		},
		tap({ what, value, step: of }) {
			if (what === "decline") return { kind: "decline" };
			const field = fields[step];
			if (of !== step) return { kind: "late" };
			if (field === undefined) return { kind: "accept", content: {} };
			if (what === "skip") return take(field, undefined);
			if (field.kind === "choices" && what === "choose" && value !== undefined) {
				chosen = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
				return { kind: "next" };
			}
			if (what === "done") return take(field, chosen);
			return take(field, field.kind === "boolean" ? value === "true" : value);
		},
	};

	function describe(field: FormField, at: number, count: number): string {
		const name = `${at + 1}/${count} ${field.title}${field.required ? ` (${words.formNeeded})` : ""}`;
		return field.description === undefined ? name : `${name}\n${field.description}`;
	}
}

const choicesOf = (field: FormField) =>
	(field.kind === "choice" || field.kind === "choices") && field.choices.length <= MAX_CHOICE_BUTTONS ? field.choices : [];
/** Is there no button for what it takes? */
const isTyped = (field: FormField) => field.kind !== "boolean" && choicesOf(field).length === 0;

function typedValue(field: FormField, text: string): unknown {
	if (field.kind === "number" || field.kind === "integer") return text === "" ? undefined : Number(text);
	if (field.kind !== "choice" && field.kind !== "choices") return text;
	const found = (said: string) => field.choices.find(({ value, title }) => [value, title].includes(said.trim()))?.value ?? said.trim();
	return field.kind === "choice" ? found(text) : text.split(/[,，、]/).map(found);
}
