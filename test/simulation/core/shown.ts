import type { ConversationState } from "@rightseat/protocol/fold/conversation";
import type { Message } from "@rightseat/protocol/model/message";

/** What two readers show, as text: the messages that both have, the newest. */
export function comparable(a: ConversationState, b: ConversationState): [string, string] {
	const count = Math.min(a.messages.length, b.messages.length);
	const [left, right] = [newest(a.messages, count), newest(b.messages, count)];
	// Of a very long answer one has the beginning that came after it, and one the end that came in its middle.
	const isCut = left.map((message, at) => message.truncated !== undefined || right[at]?.truncated !== undefined);
	return [textOf(a, left, isCut), textOf(b, right, isCut)];
}

const newest = (messages: readonly Message[], count: number) => (count === 0 ? [] : messages.slice(-count));

function textOf(state: ConversationState, messages: readonly Message[], isCut: readonly boolean[]): string {
	const { status, turn, queue, questions, permissions, plans, commands, context, todos } = state;
	const shown = messages.map((message, at) => (isCut[at] === true ? { id: message.id, role: message.role } : message));
	return JSON.stringify(sorted({ messages: shown, status, turn, queue, questions, permissions, plans, commands, context, todos }));
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
