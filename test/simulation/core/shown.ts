import type { ConversationState } from "@rightseat/protocol/fold/conversation";
import type { Message } from "@rightseat/protocol/model/message";

/** What two readers show, as text: the messages that both have, the newest. `logged` is what the whole log tells, for whoever needs it. */
export function comparable(a: ConversationState, b: ConversationState, logged: () => ConversationState): [string, string] {
	const count = Math.min(a.messages.length, b.messages.length);
	const [left, right] = [newest(a.messages, count), newest(b.messages, count)];
	// Of a very long answer one has the beginning that came after it, and one the end that came in its middle.
	const isCut = left.map((message, at) => message.truncated !== undefined || right[at]?.truncated !== undefined);
	if (!isCut.includes(true)) return [textOf(a, left), textOf(b, right)];
	const whole = new Map(logged().messages.map((message) => [message.id, message]));
	const shown = (messages: readonly Message[]) => messages.map((message, at) => (isCut[at] === true ? partOf(message, whole) : message));
	return [textOf(a, shown(left)), textOf(b, shown(right))];
}

/** The same for every part of the same text; where it is none, what was shown. */
function partOf(message: Message, logged: ReadonlyMap<string, Message>): object {
	const { id, role, content } = message;
	return { id, role, content: isPartOf(message, logged.get(id)) ? "a part of what was logged" : `${content.length}: ${content}` };
}
export const isPart = (text: string, whole: string): boolean => whole.startsWith(text) || whole.endsWith(text);
export const isPartOf = (shown: Message, whole: Message | undefined): boolean =>
	isPart(shown.content, whole?.content ?? "") || hasEnds(shown, whole);

/** Whoever came in the middle of a turn has the end of its texts. When an earlier one goes on, they are not one piece any more, but each is still the end of its own; one without a mark is all of it. */
function hasEnds(shown: Message, whole: Message | undefined): boolean {
	const [texts, logged] = [textsOf(shown), textsOf(whole)];
	const same = newest(logged, texts.length);
	return (
		texts.length > 0 &&
		texts
			.map(({ content }) => content)
			.filter((content) => content !== "")
			.join("\n\n") === shown.content &&
		texts.every(({ messageId, content, truncated }, at) => {
			const all = same[at];
			return all?.messageId === messageId && (truncated === undefined ? all.content === content : all.content.endsWith(content));
		})
	);
}
const textsOf = (message: Message | undefined) =>
	message?.role === "assistant" ? message.metadata.parts.filter((part) => part.kind === "text") : [];

const newest = <T>(all: readonly T[], count: number) => (count === 0 ? [] : all.slice(-count));

function textOf(state: ConversationState, messages: readonly object[]): string {
	const { status, turn, queue, questions, permissions, plans, commands, context, todos } = state;
	return JSON.stringify(sorted({ messages, status, turn, queue, questions, permissions, plans, commands, context, todos }));
}

/** In one order of fields, without those that are not there. */
function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, field]) => field !== undefined)
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([key, field]) => [key, sorted(field)]),
	);
}

export function difference(a: string, b: string): string {
	let at = 0;
	while (at < a.length && a[at] === b[at]) at += 1;
	const from = Math.max(0, at - 120);
	return `…${a.slice(from, at + 160)}…\ninstead of\n…${b.slice(from, at + 160)}…`;
}
