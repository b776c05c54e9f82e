import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { type ConversationId, conversationId, messageId } from "../kernel/ids.ts";
import type { ForkSession } from "../ports/agent-runtime.ts";

/** One prompt and its answer. */
export async function say(bed: CoreBed, id: ConversationId, prompt: string, mark?: string): Promise<void> {
	const { messageId: asked } = bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
	const turn = await bed.runtime.nextTurn();
	if (mark !== undefined) turn.taken(mark);
	turn.text(`answer to ${prompt}`, `m ${asked}`);
	turn.end();
	await bed.clock.advance(100);
}

/** A core whose agent notes what it is asked to fork. */
export async function bedWithForks(answer: (fork: ForkSession) => string | undefined) {
	const bed = await createCoreBed();
	const forked: ForkSession[] = [];
	bed.runtime.forkSession = async (fork) => {
		forked.push(fork);
		return answer(fork);
	};
	return { bed, forked };
}

export const texts = (bed: CoreBed, id: string) =>
	bed.conversations.messages(conversationId(id), { limit: 100 }).messages.map(({ content }) => content);
export const idOf = (bed: CoreBed, id: ConversationId, content: string) => {
	const found = bed.conversations.messages(id, { limit: 100 }).messages.find((message) => message.content === content);
	if (found === undefined) throw new Error(`no message ${content}`);
	return messageId(found.id);
};
export function rowOf(bed: CoreBed, id: ConversationId) {
	const row = bed.store.conversations.find(id);
	if (row === undefined) throw new Error("no such conversation");
	return row;
}
export async function settled<T>(bed: CoreBed, work: Promise<T>): Promise<T> {
	await bed.clock.advance(100);
	return work;
}
