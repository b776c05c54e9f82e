import { type ConversationState, emptyState, foldConversation, fromSnapshot } from "@rightseat/protocol/fold/conversation";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { isLogged, type ServerFrame, type ServerFrameOf } from "@rightseat/protocol/frames/server";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Life } from "../frame/life.ts";
import type { CoreScene } from "./core-part.ts";
import { examineAsks } from "./examine-asks.ts";
import { examineOrder, examineTakenBack } from "./examine-messages.ts";
import { checkKept, checkSent } from "./kept.ts";
import { comparable, difference } from "./shown.ts";

/** Everything is at peace: what is stored, what was shown and what ran must fit. */
export function examineAll(scene: CoreScene): void {
	const life = scene.life();
	if (life === undefined) {
		scene.world.violate("comes-to-rest", "No server runs.");
		return;
	}
	checkKept(scene, life);
	examineTables(scene, life);
	for (const { id } of life.conversations.list({ limit: 100 }).conversations) examineConversation(scene, life, id);
	examineSent(scene, life);
	const { accounts } = life.memory.usage();
	for (const [name, bytes] of Object.entries(accounts))
		if (name !== "rings" && bytes !== 0) scene.world.violate("memory-is-given-back", `${bytes} bytes are still counted for ${name}.`);
}

function examineTables({ world }: CoreScene, life: Life): void {
	const open = life.disk.look("SELECT conversation_id, message_id FROM open_turns");
	if (open.length > 0) world.violate("turns-end-once", `Open although nothing runs: ${JSON.stringify(open)}`);
	const running = life.disk.look("SELECT exec_id FROM commands WHERE ended_at IS NULL");
	if (running.length > 0) world.violate("commands-come-to-something", `Running although nothing runs: ${JSON.stringify(running)}`);
	const twice = life.disk.look(
		"SELECT client_message_id FROM messages WHERE client_message_id IS NOT NULL GROUP BY conversation_id, client_message_id HAVING count(*) > 1",
	);
	if (twice.length > 0) world.violate("one-message", `Stored twice: ${JSON.stringify(twice)}`);
}

function examineConversation(scene: CoreScene, life: Life, id: string): void {
	const { world } = scene;
	const rows = life.disk.look("SELECT seq, frame FROM events WHERE conversation_id = ? ORDER BY seq", id);
	const frames = rows.map(({ frame }) => frameOf(String(frame)));
	const head = life.conversations.get(conversationId(id)).headSeq;
	const seqs = rows.map(({ seq }) => Number(seq));
	if (seqs.some((seq, at) => seq !== at + 1) || seqs.length !== head)
		world.violate("numbers-without-gaps", `${id} has its head at ${head} and the events ${seqs.join(" ")}`);
	examineTurns(scene, id, frames);
	examineOrder(scene, life, id, frames);
	examineTakenBack(scene, life, id, frames);
	examineAsks(scene, life, id, frames);
	// What a fork began with is in no event.
	if (life.conversations.get(conversationId(id)).forkedFrom === undefined) examineFold(scene, life, id, frames);
}

const OF_A_TURN = new Set([
	"copilot:delta",
	"copilot:reasoning_delta",
	"copilot:message",
	"copilot:tool_start",
	"copilot:tool_end",
	"copilot:tool_output",
]);

function examineTurns({ world }: CoreScene, id: string, frames: readonly ServerFrame[]): void {
	let open: string | undefined;
	const ended = new Set<string>();
	for (const frame of frames) {
		if (frame.type === "copilot:stream-status" && frame.data.status === "streaming" && frame.data.turn !== undefined) {
			if (open !== undefined) world.violate("turns-end-once", `${id}: a turn began while ${open} had no end`);
			open = frame.data.turn.messageId;
		}
		if (frame.type === "copilot:idle") {
			const of = frame.data.messageId ?? "none";
			if (of !== open || ended.has(of)) world.violate("turns-end-once", `${id}: idle of ${of}, and open is ${open}`);
			ended.add(of);
			open = undefined;
		}
		if (open === undefined && OF_A_TURN.has(frame.type))
			world.violate("turns-end-once", `${id}: ${JSON.stringify(frame)} outside of a turn`);
		if (frame.type === "copilot:idle" && frame.data.outcome === "interrupted") world.count("a turn was recovered");
	}
	if (open !== undefined) world.violate("turns-end-once", `${id}: ${open} never ended`);
}

/** What a page that saw every event shows, what one shows that is opened now, and what is stored. */
function examineFold({ world }: CoreScene, life: Life, id: string, frames: readonly ServerFrame[]): void {
	const folded = foldOf(frames);
	const opened = snapshotOf(life, id);
	if (opened === undefined) {
		world.violate("fold-is-stored", `${id} gives no snapshot`);
		return;
	}
	const [a, b] = comparable(folded, fromSnapshot(opened), () => folded);
	if (a !== b) world.violate("fold-is-stored", `${id}: ${difference(a, b)}`);
}

/** Every stored event of a conversation. */
export function storedFrames(life: Life, id: string): ServerFrame[] {
	return life.disk.look("SELECT frame FROM events WHERE conversation_id = ? ORDER BY seq", id).map(({ frame }) => frameOf(String(frame)));
}

export function foldOf(frames: readonly ServerFrame[]): ConversationState {
	let folded = emptyState();
	for (const frame of frames) if (isLogged(frame)) folded = foldConversation(folded, frame);
	return folded;
}

/** What a reader is given that comes now; undefined while the disk is busy. */
export function snapshotOf(life: Life, id: string): ServerFrameOf<"copilot:snapshot">["data"] | undefined {
	let found: ServerFrameOf<"copilot:snapshot">["data"] | undefined;
	life.conversations
		.subscribe(
			conversationId(id),
			{},
			{
				event: () => undefined,
				reply(frame) {
					if (frame.type === "copilot:snapshot") found = frame.data;
				},
			},
		)
		.close();
	return found;
}

function examineSent(scene: CoreScene, life: Life): void {
	const { world } = scene;
	for (const sent of world.ledger.sent.values()) {
		if (sent.acked === undefined || sent.dropped || world.ledger.deleted.has(sent.conversationId)) continue;
		checkSent(scene, life, sent);
		if (sent.kind === "command") examineCommand(scene, life, sent.acked, sent.marker);
		else examinePrompt(scene, life, { ...sent, acked: sent.acked });
	}
}

function examineCommand({ world }: CoreScene, life: Life, execId: string, marker: string): void {
	const results = life.disk.look(
		`SELECT id, content FROM messages WHERE json_extract(metadata, '$.bash') IS NOT NULL AND instr(content, ?) > 0
		 AND conversation_id = (SELECT conversation_id FROM commands WHERE exec_id = ?)`,
		...[marker, execId],
	);
	if (results.length !== 1) world.violate("commands-come-to-something", `${marker} (${execId}) has ${results.length} results`);
	if (String(results[0]?.content).includes("[lost:")) world.count("a command was lost");
}

function examinePrompt(
	{ world }: CoreScene,
	life: Life,
	sent: { conversationId: string; acked: string; marker: string; ran: number },
): void {
	// Forks have copies of it under the same id; the first is itself.
	const [row] = life.disk.look(
		"SELECT conversation_id AS place, json_extract(metadata, '$.delivery') AS delivery FROM messages WHERE id = ? ORDER BY key",
		sent.acked,
	);
	const answers = life.disk.look(
		`SELECT json_extract(metadata, '$.outcome') AS outcome FROM messages
		 WHERE conversation_id = ? AND role = 'assistant' AND json_extract(metadata, '$.inReplyTo') = ?`,
		...[String(row?.place), sent.acked],
	);
	const joinedIn = life.disk.look(
		"SELECT json_extract(metadata, '$.outcome') AS outcome FROM messages WHERE conversation_id = ? AND role = 'assistant' AND instr(metadata, ?) > 0",
		sent.conversationId,
		JSON.stringify(sent.acked),
	);
	const outcomes = (row?.delivery === "steered" ? joinedIn : answers).map(({ outcome }) => outcome);
	const wrong = whatIsWrong(row?.delivery, outcomes, sent.ran);
	if (wrong !== undefined) world.violate("prompts-come-to-something", `${sent.marker} (${sent.acked}) ${wrong}`);
}

function whatIsWrong(delivery: unknown, outcomes: readonly unknown[], ran: number): string | undefined {
	if (delivery === "queued") return undefined;
	// One that joined a turn which did not end well failed with it, for everybody to see.
	if (delivery === "steered")
		return ran === 1 || !outcomes.includes("completed") ? undefined : `was steered and reached the agent ${ran} times`;
	if (outcomes.length !== 1) return `was taken up and has ${outcomes.length} answers`;
	return outcomes[0] === "completed" && ran !== 1 ? `was answered and reached the agent ${ran} times` : undefined;
}

function frameOf(text: string): ServerFrame {
	const decoded = decodeServerFrame(text);
	if (decoded.kind !== "frame") throw new Error(`Not a frame of the protocol: ${text}`);
	return decoded.frame;
}
