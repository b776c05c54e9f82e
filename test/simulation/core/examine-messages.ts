import type { ServerFrame } from "@rightseat/protocol/frames/server";
import type { Life } from "../frame/life.ts";
import type { CoreScene } from "./core-part.ts";

/** The prompts that were taken up, each with its answer, as the log tells of them: so they stand in the store. */
export function examineOrder({ world }: CoreScene, life: Life, id: string, frames: readonly ServerFrame[]): void {
	const rows = life.disk.look("SELECT id, position FROM messages WHERE conversation_id = ?", id);
	const positions = new Map(rows.map((row) => [String(row.id), Number(row.position)]));
	let last = { of: "nothing", at: 0 };
	for (const frame of frames) {
		if (frame.type !== "copilot:stream-status" || frame.data.turn === undefined) continue;
		for (const of of [frame.data.turn.userMessageId, frame.data.turn.messageId]) {
			const at = positions.get(of);
			if (at === undefined) continue;
			if (at <= last.at) world.violate("messages-in-order", `${id}: ${of} stands at ${at}, and ${last.of} before it at ${last.at}`);
			last = { of, at };
		}
	}
}

/** Whoever took a prompt back and saw that it is gone relies on that. */
export function examineTakenBack({ world }: CoreScene, life: Life, id: string, frames: readonly ServerFrame[]): void {
	const gone = new Set<string>();
	for (const frame of frames) {
		if (frame.type === "copilot:message_removed") gone.add(frame.data.messageId);
		const taken = takenUp(frame);
		if (taken !== undefined && gone.has(taken)) world.violate("taken-back-is-gone", `${id}: ${taken} was taken up after it was gone`);
	}
	if (gone.size > 0) world.count("a prompt was taken back");
	for (const row of life.disk.look("SELECT id, content FROM messages WHERE conversation_id = ?", id))
		if (gone.has(String(row.id))) world.violate("taken-back-is-gone", `${id}: ${row.id} is still stored: ${row.content}`);
}

function takenUp(frame: ServerFrame): string | undefined {
	if (frame.type === "copilot:stream-status") return frame.data.turn?.userMessageId;
	return frame.type === "copilot:message_updated" && frame.data.metadata.delivery === "steered" ? frame.data.messageId : undefined;
}
