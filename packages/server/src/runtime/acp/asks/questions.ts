import { cutText } from "@rightseat/protocol/text";
import type { AskUser, AskUserAnswer } from "../../../core/ports/agent-runtime.ts";
import { fieldsOf, listOf, textOf, wordOf } from "../fields.ts";

type Ask = (question: AskUser, signal: AbortSignal) => Promise<AskUserAnswer>;

/** What goes back to an agent that asked a person. */
export type ElicitationAnswer = { action: "accept"; content: Record<string, unknown> } | { action: "decline" | "cancel" };

const MAX_FIELDS = 20;
/** Of what the agent says of one choice. */
const MAX_ABOUT_CHARS = 300;
const SEVERAL = "More than one may be chosen: write them with commas between.";
const YES = "Yes";
const NO = "No";
/** Free text beside the choices of a field stands in a field of its own. */
const CUSTOM = "_custom";

/** Asks a person what `elicitation/create` asks, one field after the other. Never rejects for what the agent sends. */
export async function answerElicitation(raw: unknown, ask: Ask, signal: AbortSignal): Promise<ElicitationAnswer> {
	const { mode, message, url, requestedSchema } = fieldsOf(raw);
	const words = wordOf(message) ?? "The agent asks.";
	if (mode === "url" || (url !== undefined && requestedSchema === undefined)) return openPage(words, url, ask, signal);
	const properties = fieldsOf(fieldsOf(requestedSchema).properties);
	const fields = Object.keys(properties).slice(0, MAX_FIELDS);
	if (fields.length === 0) return confirm(words, ask, signal);
	const content: Record<string, unknown> = {};
	for (const field of fields) {
		const isBeside = field.endsWith(CUSTOM) && fields.includes(field.slice(0, -CUSTOM.length));
		if (isBeside) continue;
		const answered = await askField(field, properties, { ask, signal, message: words, isFirst: field === fields[0] });
		// Nobody is asked for the rest, and nothing is accepted for a person who is not there.
		if (answered === undefined || signal.aborted) return { action: "cancel" };
		content[answered.field] = answered.value;
	}
	return { action: "accept", content };
}

/** A form without a field is a yes or a no, and that is for a person to say. */
async function confirm(words: string, ask: Ask, signal: AbortSignal): Promise<ElicitationAnswer> {
	const { answer, isUnanswered } = await ask({ question: words, choices: [YES, NO], allowFreeform: false }, signal);
	if (isUnanswered === true || signal.aborted) return { action: "cancel" };
	return answer === YES ? { action: "accept", content: {} } : { action: "decline" };
}

async function askField(
	field: string,
	properties: Record<string, unknown>,
	{ ask, signal, message, isFirst }: { ask: Ask; signal: AbortSignal; message: string; isFirst: boolean },
): Promise<{ field: string; value: unknown } | undefined> {
	const schema = fieldsOf(properties[field]);
	const choices = choicesOf(schema);
	const custom = `${field}${CUSTOM}` in properties ? `${field}${CUSTOM}` : undefined;
	const isSeveral = schema.type === "array" && choices.length > 0;
	const question = [headOf(schema, message, isFirst), explain(choices), isSeveral ? SEVERAL : ""]
		.filter((part) => part !== "")
		.join("\n\n");
	const names = choices.map(({ title: name }) => name);
	const allowFreeform = names.length === 0 || custom !== undefined || isSeveral;
	const { answer, isUnanswered } = await ask(
		names.length === 0 ? { question, allowFreeform } : { question, choices: names, allowFreeform },
		signal,
	);
	if (isUnanswered === true) return undefined;
	const chosen = choices.find((choice) => choice.title === answer);
	if (chosen !== undefined) return { field, value: isSeveral ? [chosen.value] : chosen.value };
	const several = isSeveral ? severalOf(choices, answer) : undefined;
	if (several !== undefined) return { field, value: several };
	if (custom !== undefined) return { field: custom, value: answer };
	return { field, value: schema.type === "number" || schema.type === "integer" ? Number(answer) || 0 : answer };
}

/** A field with words of its own is a question by itself; a name alone says little without the message of the form. */
function headOf(schema: Record<string, unknown>, message: string, isFirst: boolean): string {
	const [title, description] = [wordOf(schema.title), wordOf(schema.description)];
	const own = title !== undefined && description !== undefined ? `${title}: ${description}` : (title ?? description);
	if (own === undefined || own === message) return message;
	return isFirst || description === undefined ? `${message}\n\n${own}` : own;
}

/** What the agent says of each choice, where it says anything. */
function explain(choices: readonly FieldChoice[]): string {
	return choices.flatMap(({ title, about }) => (about === undefined ? [] : [`- ${title}: ${cutText(about, MAX_ABOUT_CHARS)}`])).join("\n");
}

/** The choices that an answer names, with commas between them; undefined when there is anything else in it. */
function severalOf(choices: readonly FieldChoice[], answer: string): unknown[] | undefined {
	const named = answer
		.split(/[,，、]/)
		.map((part) => part.trim())
		.filter((part) => part !== "");
	const found = named.map((name) => choices.find(({ title }) => title.toLowerCase() === name.toLowerCase()));
	return found.length === 0 || found.includes(undefined) ? undefined : [...new Set(found.map((choice) => choice?.value))];
}

interface FieldChoice {
	title: string;
	value: unknown;
	/** What the agent says of it. */
	about?: string | undefined;
}

function choicesOf(schema: Record<string, unknown>): FieldChoice[] {
	if (schema.type === "boolean") {
		return [
			{ title: YES, value: true },
			{ title: NO, value: false },
		];
	}
	const items = fieldsOf(schema.items);
	const listed = [...listOf(schema.oneOf), ...listOf(items.anyOf), ...listOf(items.oneOf)].flatMap((item) => {
		const choice = fieldsOf(item);
		const value = textOf(choice.const);
		return value === undefined ? [] : [{ title: wordOf(choice.title) ?? value, value, about: wordOf(choice.description) }];
	});
	if (listed.length > 0) return listed;
	return [...listOf(schema.enum), ...listOf(items.enum)].flatMap((item) => {
		const value = textOf(item);
		return value === undefined ? [] : [{ title: value, value }];
	});
}

const DONE = "Done";

async function openPage(words: string, raw: unknown, ask: Ask, signal: AbortSignal): Promise<ElicitationAnswer> {
	const url = textOf(raw) ?? "";
	// Anything but a page of the web could start a program on the person's machine.
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return { action: "decline" };
	const { answer } = await ask({ question: `${words}\n${url}`, choices: [DONE, "Cancel"], allowFreeform: false }, signal);
	return answer === DONE && !signal.aborted ? { action: "accept", content: {} } : { action: "cancel" };
}

/**
 * The questions in the input of a permission request, as Qwen Code asks them; undefined when there are none, or when there is more in it: a model
 * that adds a question to a command would have the answer taken for a permission.
 */
export function questionsIn(input: unknown): AskUser[] | undefined {
	const { questions: listed, metadata: _about, ...more } = fieldsOf(input);
	if (Object.keys(more).length > 0) return undefined;
	const questions = listOf(listed).map(fieldsOf);
	const asked = questions.flatMap(({ question, options }): AskUser[] => {
		const words = wordOf(question);
		if (words === undefined) return [];
		const choices = listOf(options).flatMap((option) => wordOf(option) ?? wordOf(fieldsOf(option).label) ?? []);
		return [choices.length === 0 ? { question: words, allowFreeform: true } : { question: words, choices, allowFreeform: true }];
	});
	return asked.length === 0 ? undefined : asked.slice(0, MAX_FIELDS);
}
