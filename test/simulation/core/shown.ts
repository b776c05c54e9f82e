import type { ConversationState } from "@rightseat/protocol/fold/conversation";
import type { Message } from "@rightseat/protocol/model/message";

/** What two readers show, as text: the messages that both have, the newest. `logged` is what the whole log tells, for whoever needs it. */
export function comparable(a: ConversationState, b: ConversationState, logged: () => ConversationState): [string, string] {
	const count = Math.min(a.messages.length, b.messages.length);
	const [left, right] = [newest(a.messages, count), newest(b.messages, count)];
	// Of a very long answer one has the beginning that came after it, and one the end that came in its middle.
	const isCut = left.map((message, at) => message.truncated !== undefined || right[at]?.truncated !== undefined);
	if (!isCut.includes(true)) return [textOf(a, left), textOf(b, right)];
	const whole = new Map(logged().messages.map(({ id, content }) => [id, content]));
	const shown = (messages: readonly Message[]) => messages.map((message, at) => (isCut[at] === true ? partOf(message, whole) : message));
	return [textOf(a, shown(left)), textOf(b, shown(right))];
}

/** The same for every part of the same text; where it is none, what was shown. */
function partOf({ id, role, content }: Message, whole: ReadonlyMap<string, string>): object {
	return { id, role, content: isPart(content, whole.get(id) ?? "") ? "a part of what was logged" : `${content.length}: ${content}` };
}

/** A beginning or an end; or, of somebody who came in its middle, the end of each piece, since a piece that others follow may still grow. */
export function isPart(text: string, whole: string): boolean {
	if (whole.startsWith(text) || whole.endsWith(text)) return true;
	const pieces = whole.split("\n\n");
	let next = 0;
	return text.split("\n\n").every((shown) => {
		const at = pieces.findIndex((piece, index) => index >= next && piece.endsWith(shown));
		next = at + 1;
		return at !== -1;
	});
}

const newest = (messages: readonly Message[], count: number) => (count === 0 ? [] : messages.slice(-count));

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
