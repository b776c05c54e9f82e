import type { ServerFrame, ServerFrameOf } from "@rightseat/protocol/frames/server";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Life } from "../frame/life.ts";
import type { CoreScene } from "./core-part.ts";

/** What the agent asked was resolved once, as it heard it; and a plan that was taken left its mode. */
export function examineAsks(scene: CoreScene, life: Life, id: string, frames: readonly ServerFrame[]): void {
	const { world } = scene;
	const times = new Map<string, number>();
	const words = new Map<string, string>();
	let mode = "agent";
	for (const frame of frames) {
		const asked = askedBy(frame);
		if (asked !== undefined) {
			times.set(asked.requestId, 0);
			words.set(asked.requestId, asked.words);
		}
		const resolved = resolvedBy(frame);
		if (resolved === undefined) continue;
		const { requestId } = resolved.data;
		times.set(requestId, (times.get(requestId) ?? Number.NaN) + 1);
		const heard = scene.heard.get(words.get(requestId) ?? "");
		if (heard !== undefined && !JSON.stringify(resolved.data).includes(heard))
			world.violate("answers-are-kept", `The agent heard ${heard}, and the log says ${JSON.stringify(frame)}`);
		if (frame.type === "copilot:plan_resolved" && frame.data.approved === true)
			mode = frame.data.action === "autopilot" ? "autopilot" : "agent";
	}
	for (const [requestId, count] of times) if (count !== 1) world.violate("asked-once", `${id}: ${requestId} was resolved ${count} times`);
	const { mode: stored, forkedFrom } = life.conversations.get(conversationId(id));
	// A fork begins with the mode of its source.
	if (stored !== mode && forkedFrom === undefined)
		world.violate("mode-of-the-plan", `${id}: the mode is ${stored}, and the log says ${mode}`);
}

/** What an agent asks with this event, by the words with which it asked. */
function askedBy(frame: ServerFrame): { requestId: string; words: string } | undefined {
	if (frame.type === "copilot:user_input_request") return { requestId: frame.data.requestId, words: frame.data.question };
	if (frame.type === "copilot:form_request") return { requestId: frame.data.requestId, words: frame.data.message };
	if (frame.type !== "copilot:permission_request" && frame.type !== "copilot:plan_request") return undefined;
	return { requestId: frame.data.requestId, words: frame.data.summary };
}

function resolvedBy(frame: ServerFrame): ServerFrameOf<Resolved> | undefined {
	switch (frame.type) {
		case "copilot:user_input_resolved":
		case "copilot:permission_resolved":
		case "copilot:plan_resolved":
		case "copilot:form_resolved":
			return frame;
		default:
			return undefined;
	}
}
type Resolved = `copilot:${"user_input" | "permission" | "plan" | "form"}_resolved`;
