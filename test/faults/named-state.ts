import type { ServerFrame, ServerFrameOf } from "@rightseat/protocol/frames/server";

/** Something that a page was told, or noticed. */
export interface Sign {
	at: number;
	/** `lost`, `close:1012`, `error:provider-auth`, `nack:storage-read-only`, `storage:read-only`, `idle:interrupted` … */
	name: string;
}

/** One of these must have been seen within the time. */
export interface Shown {
	anyOf: readonly string[];
	withinMs?: number;
}

/** The promise: whatever ends or blocks something has a name that people see. */
export const NAMED_STATE_MS = 5_000;
/** A network that only falls silent is noticed by a ping and the wait for its answer. */
export const SILENT_NETWORK_MS = 10_000;

/** The findings: what should have been shown after `struckAt` and was not in time. */
export function unshown(expected: readonly Shown[], signs: readonly Sign[], struckAt: number): string[] {
	return expected.flatMap(({ anyOf, withinMs = NAMED_STATE_MS }) => {
		const first = signs.filter((sign) => sign.at >= struckAt && anyOf.includes(sign.name)).sort((a, b) => a.at - b.at)[0];
		if (first !== undefined && first.at - struckAt <= withinMs) return [];
		const after = signs.filter((sign) => sign.at >= struckAt).map((sign) => `${sign.name} after ${sign.at - struckAt} ms`);
		const late = first === undefined ? "never" : `only after ${first.at - struckAt} ms`;
		return [`${anyOf.join(" or ")} was shown ${late}, not within ${withinMs} ms. Seen: ${after.slice(0, 12).join(", ") || "nothing"}.`];
	});
}

/** What a frame says about the state of things; most say nothing. */
export function signsOf(frame: ServerFrame): string[] {
	switch (frame.type) {
		case "error":
		case "copilot:error":
			return [`error:${frame.data.code}`];
		case "copilot:nack":
			return [`nack:${frame.data.code}`];
		case "copilot:notice":
			return [`notice:${frame.data.code}`];
		case "copilot:reset":
			return ["reset"];
		case "copilot:snapshot":
			return ["snapshot"];
		case "copilot:idle":
			return [`idle:${frame.data.outcome}`];
		case "copilot:tool_start":
			return [`tool:${frame.data.toolName}`];
		case "copilot:user_input_request":
			return ["question"];
		case "copilot:permission_request":
			return ["permission"];
		case "copilot:permission_resolved":
			return [`permission:${frame.data.outcome}`];
		case "copilot:plan_request":
			return ["plan"];
		case "copilot:budget_request":
			return ["budget"];
		case "copilot:form_request":
			return ["form"];
		case "copilot:subagent":
			return [`sub-agent:${frame.data.state}`];
		case "copilot:tool_end":
			return frame.data.success ? [] : ["tool-failed"];
		case "bash:start":
			return ["command"];
		case "bash:done":
			return [frame.data.exitCode === null ? "done:lost" : `done:${frame.data.exitCode}`];
		case "app:status":
			return [...Object.entries(frame.data).flatMap(([part, health]) => stateOf(part, health)), ...agentStates(frame.data.agents)];
		default:
			return [];
	}
}

/** `agent:resting` … of the agents that speak ACP. */
function agentStates(agents: ServerFrameOf<"app:status">["data"]["agents"] = []): string[] {
	return agents.flatMap(({ kind, state }) => (kind === "acp" ? [`agent:${state}`] : []));
}

/** `storage:ok`, `storage:restored` … of what the server says about one of its parts. */
export function stateOf(part: string, health: unknown): string[] {
	if (typeof health !== "object" || health === null || !("state" in health)) return [];
	const states = [`${part}:${String(health.state)}`];
	if ("recovery" in health && typeof health.recovery === "object" && health.recovery !== null && "kind" in health.recovery)
		states.push(`${part}:${String(health.recovery.kind)}`);
	return states;
}
