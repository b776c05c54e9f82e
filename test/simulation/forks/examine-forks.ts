import { QUEUE_START } from "../../../packages/server/src/store/messages/message-order.ts";
import type { Life } from "../frame/life.ts";
import type { ForkScene, SeenMessage, WantedFork } from "./forks-part.ts";

/** Everything that was said in it, in order, without what waits in the queue. */
export function messagesOf(life: Life, conversation: string, below: number = QUEUE_START): SeenMessage[] {
	return life.disk
		.look(
			"SELECT id, role, content, delivery FROM messages WHERE conversation_id = ? AND position < ? ORDER BY position, key",
			...[conversation, below],
		)
		.map(({ id, role, content, delivery }) => ({
			...{ id: String(id), role: String(role), content: String(content) },
			isSteered: delivery === "steered",
		}));
}

/** What a fork that is asked for now must have. */
export function beforeCut(life: Life, { source, before }: WantedFork): SeenMessage[] {
	if (before === undefined) return messagesOf(life, source);
	const [cut] = life.disk.look("SELECT position FROM messages WHERE conversation_id = ? AND id = ?", source, before);
	return cut === undefined ? [] : messagesOf(life, source, Math.min(Number(cut.position), QUEUE_START));
}

/** Whenever a process has begun, when one was confirmed, and at peace. */
export function checkForks(scene: ForkScene, life: Life): void {
	const { ledger, violate } = scene.world;
	for (const fork of scene.wanted) {
		const ran = ledger.timesRan.get(fork.marker) ?? 0;
		if (ran > 1 && fork.clientMessageId !== undefined) violate("fork-once", `The prompt of ${fork.marker} ran ${ran} times`);
		if (fork.acked === undefined || ledger.deleted.has(fork.acked)) continue;
		const [row] = life.disk.look("SELECT forming FROM conversations WHERE id = ?", fork.acked);
		if (row === undefined || row.forming !== 0) {
			violate("fork-kept", `${fork.marker} was confirmed as ${fork.acked}, and is ${row === undefined ? "gone" : "not finished"}`);
			continue;
		}
		checkMessages(scene, life, { ...fork, acked: fork.acked });
	}
}

function checkMessages({ world: { violate } }: ForkScene, life: Life, fork: WantedFork & { acked: string }): void {
	const { marker, acked, asked, prompt, clientMessageId } = fork;
	const has = messagesOf(life, acked);
	const ids = new Set(has.map(({ id }) => id));
	// One that was to join a turn, and whose turn ended before that, went back to the queue.
	const isOneOf = asked
		.map((seen) => seen.filter(({ id, isSteered }) => !isSteered || ids.has(id)))
		.some((seen) => words(has.slice(0, seen.length)) === words(seen) && !hasMore(life, fork, has, seen));
	if (!isOneOf)
		violate("fork-kept", `${marker} is ${acked} and has ${words(has)}, and before the cut were ${asked.map(words).join(" or ")}`);
	if (prompt === undefined || clientMessageId === undefined) return;
	const stored = life.disk.look(
		`SELECT 1 FROM messages WHERE conversation_id = ? AND client_message_id = ?
		 UNION ALL SELECT 1 FROM removed_messages WHERE conversation_id = ? AND client_message_id = ?`,
		...[acked, clientMessageId, acked, clientMessageId],
	);
	if (stored.length !== 1) violate("fork-kept", `${marker} was confirmed, and its prompt is stored ${stored.length} times`);
}

/** Something of the source that was said after the cut is in it as well: a copy has the id of what it is a copy of. */
function hasMore(life: Life, { source }: WantedFork, has: readonly SeenMessage[], seen: readonly SeenMessage[]): boolean {
	const ofSource = new Set(messagesOf(life, source).map(({ id }) => id));
	return has.slice(seen.length).some(({ id }) => ofSource.has(id));
}

const words = (seen: readonly SeenMessage[]) => JSON.stringify(seen.map(({ id, role, content }) => `${id} ${role}: ${content}`));

/** Everything is at peace. */
export function examineForks({ world, wanted }: ForkScene, life: Life): void {
	const { violate, ledger } = world;
	const rows = life.disk.look("SELECT id, sdk_session_id, fork_key, forming FROM conversations");
	for (const { id, forming } of rows) if (forming !== 0) violate("fork-whole", `${id} is not finished, and nobody makes it`);
	const sessions = new Set(rows.map((row) => String(row.sdk_session_id)));
	for (const id of life.agent.forked)
		if (!sessions.has(id) && !ledger.deleted.has(id))
			violate("fork-whole", `The agent still has the session ${id} of a fork that is not there`);
	for (const { marker, clientMessageId } of wanted) {
		if (clientMessageId === undefined) continue;
		const made = rows.filter(({ fork_key: key }) => String(key).endsWith(` ${clientMessageId}`)).map(({ id }) => String(id));
		if (made.length > 1) violate("fork-once", `${marker} is there ${made.length} times: ${made.join()}`);
	}
}
