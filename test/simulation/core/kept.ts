import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Life } from "../frame/life.ts";
import type { CoreScene } from "./core-part.ts";

/** A process has begun: whatever outsiders know must be there. */
export function checkKept(scene: CoreScene, life: Life): void {
	const { ledger, violate } = scene.world;
	for (const [id, shown] of ledger.events) {
		const row = life.conversations.find(conversationId(id));
		if (row === undefined) {
			if (!ledger.deleted.has(id)) violate("shown-is-kept", `The conversation ${id} is gone.`);
			continue;
		}
		if (ledger.deleted.get(id) === true) violate("acknowledged-is-kept", `The conversation ${id} was deleted, and is there again.`);
		const stored = new Map(
			life.disk.look("SELECT seq, frame FROM events WHERE conversation_id = ?", id).map((event) => [Number(event.seq), event.frame]),
		);
		for (const [key, frame] of shown) {
			const seq = Number(key.slice(key.lastIndexOf(" ") + 1));
			if (stored.get(seq) !== frame)
				violate("shown-is-kept", `${id}: a reader was shown as event ${seq} ${frame}, and stored is ${stored.get(seq) ?? "nothing"}`);
		}
	}
	for (const [id, shown] of ledger.messages) {
		if (ledger.deleted.has(id)) continue;
		const stored = new Set(life.disk.look("SELECT id FROM messages WHERE conversation_id = ?", id).map((row) => row.id));
		for (const message of shown)
			if (!stored.has(message))
				violate("shown-is-kept", `${id}: a reader was shown the message ${message} in a snapshot, and it is not stored`);
	}
	checkAudited(scene, life);
	for (const sent of ledger.sent.values()) {
		if (sent.acked !== undefined) checkSent(scene, life, sent);
		if (sent.ran > 0) checkRan(scene, life, sent);
	}
}

/** What somebody ran, allowed, answered and deleted is known to be theirs, from the moment on in which it has an effect. */
function checkAudited({ world: { ledger, violate }, heard }: CoreScene, life: Life): void {
	const entries = life.disk.look("SELECT kind, detail FROM audit_log").map(({ kind, detail }) => `${kind}: ${detail}`);
	const times = (kind: string, what: string) => entries.filter((entry) => entry.startsWith(`${kind}: `) && entry.includes(what)).length;
	for (const { marker, kind, ran } of ledger.sent.values())
		if (kind === "command" && ran > 0 && times("command", marker) !== 1)
			violate("acts-are-audited", `${marker} has run, and is in the audit log ${times("command", marker)} times`);
	for (const [asked, what] of heard) {
		if (asked.startsWith("Run ") && times("permission", asked) === 0)
			violate("acts-are-audited", `Nobody is known to have allowed ${asked}`);
		// Of a long answer the log has the beginning.
		if (asked.startsWith("Question ") && times("answer", String(JSON.parse(what)).slice(0, 100)) === 0)
			violate("acts-are-audited", `Nobody is known to have answered ${asked} with ${what}`);
	}
	for (const [id, isConfirmed] of ledger.deleted)
		if (isConfirmed && times("conversation-deleted", id) === 0) violate("acts-are-audited", `Nobody is known to have deleted ${id}`);
}

type Sent = NonNullable<ReturnType<CoreScene["world"]["ledger"]["sent"]["get"]>>;

/** Whoever acts on something can be asked about it: nothing may have run that nobody knows of. */
function checkRan({ world: { ledger, violate } }: CoreScene, life: Life, { marker, kind, conversationId: id }: Sent): void {
	// In a chat nobody knows in which conversation it is; it may have gone with any that was deleted.
	const isKnown = life.conversations.find(conversationId(id)) !== undefined;
	if (ledger.deleted.has(id) || (!isKnown && ledger.deleted.size > 0)) return;
	const found = life.disk.look(kind === "prompt" ? ANY_PROMPTS : ANY_COMMANDS, marker);
	if (found.length === 0) violate("ran-is-known", `${marker} has run, and nothing of it is stored`);
}

/** An acknowledged prompt or command is there once, by its own id. */
export function checkSent(scene: CoreScene, life: Life, sent: Sent): void {
	const { ledger, violate } = scene.world;
	if (sent.dropped || sent.acked === undefined || ledger.deleted.has(sent.conversationId)) return;
	const found = life.disk.look(sent.kind === "prompt" ? PROMPTS : COMMANDS, sent.conversationId, sent.marker);
	if (found.length !== 1 || found[0]?.id !== sent.acked)
		violate(
			"acknowledged-is-kept",
			`${sent.marker} was acknowledged as ${sent.acked}, and stored are ${JSON.stringify(found.map(({ id }) => id))}`,
		);
}

/** Results of commands stand among the messages as well, and may quote a prompt. */
const PROMPTS =
	"SELECT id FROM messages WHERE conversation_id = ? AND instr(content, ?) > 0 AND role = 'user' AND json_extract(metadata, '$.bash') IS NULL";
const ANY_PROMPTS = "SELECT id FROM messages WHERE instr(content, ?) > 0 AND role = 'user' AND json_extract(metadata, '$.bash') IS NULL";
const ANY_COMMANDS = "SELECT exec_id AS id FROM commands WHERE instr(command, ?) > 0";
const COMMANDS = "SELECT exec_id AS id FROM commands WHERE conversation_id = ? AND instr(command, ?) > 0";
