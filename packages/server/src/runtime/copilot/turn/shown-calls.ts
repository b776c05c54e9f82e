import { cutText } from "@rightseat/protocol/text";
import type { BySubAgent, TurnEvent } from "../../../core/ports/agent-runtime.ts";

export interface ToolCall {
	toolCallId: string;
	toolName: string;
	arguments: unknown;
}
interface Ended {
	success: boolean;
	text: string;
}

/**
 * A call as readers see it. A `delivered` one has reached our tool while nothing announced it: it is not shown yet, because the
 * announcement, which names the sub-agent, may follow.
 */
type ShownCall =
	| { at: "delivered"; call: ToolCall; output: string; returned?: Ended; completed?: Ended }
	| { at: "open"; by: BySubAgent; announced: boolean; returned?: Ended };

export type ShownCalls = ReadonlyMap<string, ShownCall>;

export type CallInput =
	/** The runtime says that a call begins. */
	| { kind: "announced"; call: ToolCall; by: BySubAgent }
	/** Our tool is asked to run it. */
	| { kind: "delivered"; call: ToolCall }
	| { kind: "output"; toolCallId: string; text: string }
	/** Our tool has answered; these words are shown, since the runtime censors its own event. */
	| ({ kind: "returned"; toolCallId: string } & Ended)
	/** The runtime says that the call is over. */
	| ({ kind: "completed"; toolCallId: string } & Ended)
	/** The announcement did not come in time: the model that summarises, for one, announces nothing. */
	| { kind: "grace-over"; toolCallId: string }
	/** The turn ends, or this sub-agent; the runtime says nothing about what is open when it is stopped or dies. */
	| { kind: "closed"; error: string; agentId?: string };

/** Built-in tools may read whole files; what people see of a result is cut, what the model gets is not. */
export const MAX_RESULT_CHARS = 64_000;

/** Shows every call once, with one start and one end, in whatever order its parts arrive. */
export function nextCalls(calls: ShownCalls, input: CallInput): { calls: ShownCalls; events: TurnEvent[] } {
	if (input.kind === "closed") {
		const isOver = (shown: ShownCall) => input.agentId === undefined || (shown.at === "open" && shown.by.agentId === input.agentId);
		return {
			calls: new Map([...calls].filter(([, shown]) => !isOver(shown))),
			events: [...calls].flatMap(([id, shown]) => (isOver(shown) ? close(id, shown, input.error) : [])),
		};
	}
	const id = "call" in input ? input.call.toolCallId : input.toolCallId;
	const before = calls.get(id);
	const { after, events } = nextCall(id, before, input);
	if (after === before) return { calls, events };
	const changed = new Map(calls);
	if (after === undefined) changed.delete(id);
	else changed.set(id, after);
	return { calls: changed, events };
}

/** Has a call reached us of which the runtime has still something to say? Its events of sub-agents lag behind under load. */
export const isSettling = (calls: ShownCalls): boolean =>
	[...calls.values()].some((shown) => shown.at === "delivered" || shown.returned !== undefined);

interface Step {
	after: ShownCall | undefined;
	events: TurnEvent[];
}

function nextCall(id: string, shown: ShownCall | undefined, input: Exclude<CallInput, { kind: "closed" }>): Step {
	switch (input.kind) {
		case "announced":
			if (shown?.at === "delivered") return show(id, { ...shown, call: input.call }, { by: input.by, announced: true });
			if (shown?.at === "open") return { after: { ...shown, announced: true }, events: [] };
			return { after: { at: "open", by: input.by, announced: true }, events: [start(input.call, input.by)] };
		case "delivered":
			return { after: shown ?? { at: "delivered", call: input.call, output: "" }, events: [] };
		case "grace-over":
			return shown?.at === "delivered" ? show(id, shown, { by: {}, announced: false }) : { after: shown, events: [] };
		case "output":
			if (shown?.at === "open") return { after: shown, events: [{ kind: "tool-output", toolCallId: id, content: input.text }] };
			if (shown === undefined) return { after: shown, events: [] };
			return { after: { ...shown, output: cutText(shown.output + input.text, MAX_RESULT_CHARS) }, events: [] };
		case "returned": {
			const returned = ended(input);
			if (shown?.at === "open" && !shown.announced) return { after: undefined, events: [end(id, returned, shown.by)] };
			return { after: shown && { ...shown, returned }, events: [] };
		}
		case "completed": {
			if (shown?.at === "delivered") return { after: { ...shown, completed: ended(input) }, events: [] };
			if (shown === undefined) return { after: shown, events: [] };
			return { after: undefined, events: [end(id, { ...ended(input), text: shown.returned?.text ?? ended(input).text }, shown.by)] };
		}
	}
}

function show(id: string, shown: Extract<ShownCall, { at: "delivered" }>, how: { by: BySubAgent; announced: boolean }): Step {
	const { call, output, returned, completed } = shown;
	const events: TurnEvent[] = [start(call, how.by)];
	if (output !== "") events.push({ kind: "tool-output", toolCallId: id, content: output });
	const over = completed ?? (how.announced ? undefined : returned);
	if (over === undefined) return { after: { at: "open", ...how, ...(returned === undefined ? {} : { returned }) }, events };
	return { after: undefined, events: [...events, end(id, { ...over, text: returned?.text ?? over.text }, how.by)] };
}

function close(id: string, shown: ShownCall, error: string): TurnEvent[] {
	const returned = shown.returned ?? { success: false, text: error };
	if (shown.at === "open") return [end(id, returned, shown.by)];
	return show(id, { ...shown, returned }, { by: {}, announced: false }).events;
}

const ended = ({ success, text }: Ended): Ended => ({ success, text: text.slice(0, MAX_RESULT_CHARS).toWellFormed() });

const start = (call: ToolCall, by: BySubAgent): TurnEvent => ({ kind: "tool-start", ...call, ...by });

function end(toolCallId: string, { success, text }: Ended, by: BySubAgent): TurnEvent {
	if (success) return { kind: "tool-end", toolCallId, success, result: text, ...by };
	return { kind: "tool-end", toolCallId, success, error: text || "The tool failed.", ...by };
}
