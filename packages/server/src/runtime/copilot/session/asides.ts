import type { SessionEvent } from "@github/copilot-sdk";
import { fieldOf } from "@rightseat/protocol/model/field";
import type { Usage } from "@rightseat/protocol/model/turn";

/** Calls of the model that are remembered until it is known whose they were. */
const MAX_CALLS = 50;

/** Questions beside the conversation, one at a time: the runtime gives one up when the next is asked. */
export interface Asides {
	/** Rejects as `query` does; the next one is asked all the same. */
	ask(query: () => Promise<string>): Promise<string>;
	/** Every event of the session. */
	heard(event: SessionEvent): void;
}

interface ModelCall {
	usage?: Usage;
	said?: string;
}

/** What a side question used is in none of the runtime's reports: the call is known by its words, which no turn has reported. */
export function createAsides(onUsage: (usage: Usage) => void): Asides {
	let last: Promise<unknown> = Promise.resolve();
	const calls = new Map<string, ModelCall>();
	const reported = new Set<string>();
	const answers: string[] = [];

	function learn(id: unknown, more: ModelCall): void {
		if (typeof id !== "string") return;
		calls.set(id, { ...calls.get(id), ...more });
		forgetOldest(calls);
		settle();
	}
	function settle(): void {
		for (const [id, { usage, said }] of calls) {
			const index = said === undefined || reported.has(id) ? -1 : answers.indexOf(said.trim());
			if (usage === undefined || index < 0) continue;
			answers.splice(index, 1);
			calls.delete(id);
			onUsage(usage);
		}
	}

	return {
		ask(query) {
			const answer = last.then(async () => {
				const said = await query();
				answers.push(said.trim());
				if (answers.length > MAX_CALLS) answers.shift();
				// Its report may have come before.
				settle();
				return said;
			});
			last = answer.catch(() => undefined);
			return answer;
		},
		heard(event) {
			// Not in the SDK's union, but on the wire.
			const type: string = event.type;
			if (event.type === "assistant.usage" && event.data.apiCallId !== undefined) {
				reported.add(event.data.apiCallId);
				forgetOldest(reported);
			}
			if (type !== "model.model_call_success" && type !== "model.message") return;
			const call = fieldOf(event.data, "modelCall");
			const id = fieldOf(call, "api_id");
			if (type === "model.message") return learn(id, saidIn(fieldOf(event.data, "message")));
			const used = fieldOf(event.data, "responseUsage");
			const [inputTokens, outputTokens] = [tokensOf(used, "prompt_tokens"), tokensOf(used, "completion_tokens")];
			learn(id, { usage: { inputTokens, outputTokens, model: String(fieldOf(call, "model") ?? "") } });
		},
	};
}

function saidIn(message: unknown): ModelCall {
	const said = fieldOf(message, "content");
	return typeof said === "string" ? { said } : {};
}

function tokensOf(used: unknown, name: string): number {
	const count = fieldOf(used, name);
	return typeof count === "number" ? count : 0;
}

function forgetOldest(kept: Map<string, unknown> | Set<string>): void {
	const [oldest] = kept.keys();
	if (kept.size > MAX_CALLS && oldest !== undefined) kept.delete(oldest);
}
