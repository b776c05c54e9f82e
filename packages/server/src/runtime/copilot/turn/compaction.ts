import type { CopilotSession, SessionEvent } from "@github/copilot-sdk";
import type { Clock } from "../../../core/kernel/clock.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { runtimeErrors } from "../process/runtime-errors.ts";
import { COMPACTING } from "./translate.ts";
import { fromAppError } from "./turn-error.ts";
import type { Describe } from "./turn-state.ts";

/** A model that takes longer for its summary is not waited for. */
const COMPACT_TIMEOUT_MS = 300_000;
/** Stopping must be over within two seconds even if the runtime does not answer. */
const STOP_TIMEOUT_MS = 1_500;

type History = Pick<CopilotSession["rpc"]["history"], "compact" | "abortManualCompaction">;
type Compacted = Extract<SessionEvent, { type: "session.compaction_complete" }>["data"];

export interface CompactionDeps {
	clock: Clock;
	/** The session, attached, for as long as this takes. */
	attach(): Promise<{ history: History; gone: AbortSignal }>;
	describe: Describe;
	/** The runtime did not confirm the end: its session must not be used again as it is. */
	invalidate(): void;
}

/** A turn in which the history is summarised, by one call of the model. */
export interface Compaction {
	/** Every event of the session. */
	handle(event: SessionEvent): void;
	/** Yields exactly one `turn-end`, last. Never rejects. */
	events(stop: AbortSignal): AsyncGenerator<TurnEvent, void, undefined>;
}

export function createCompaction(deps: CompactionDeps): Compaction {
	let done: Compacted | undefined;

	async function compact(stop: AbortSignal): Promise<TurnEvent[]> {
		const { history, gone } = await deps.attach();
		if (stop.aborted) return [ABORTED];
		const asked = history.compact({});
		asked.catch(() => undefined);
		const stopped = new Promise<"stopped">((resolve) => stop.addEventListener("abort", () => resolve("stopped"), { once: true }));
		const limit = { clock: deps.clock, gone, late: runtimeErrors.noAnswer };
		const first = await Promise.race([withTimeout(asked, { ...limit, ms: COMPACT_TIMEOUT_MS }), stopped]);
		if (first !== "stopped") return toldOf(first);
		await withTimeout(history.abortManualCompaction(), { ...limit, ms: STOP_TIMEOUT_MS }).catch(deps.invalidate);
		return [ABORTED];
	}

	function toldOf({ contextWindow, tokensRemoved }: Awaited<ReturnType<History["compact"]>>): TurnEvent[] {
		const used = done?.compactionTokensUsed;
		const after = contextWindow?.currentTokens ?? 0;
		const context = contextWindow === undefined ? {} : { contextTokens: after, contextLimit: contextWindow.tokenLimit };
		const tokens = { inputTokens: used?.inputTokens ?? 0, outputTokens: used?.outputTokens ?? 0, model: used?.model ?? "" };
		return [{ kind: "usage", ...tokens, ...context }, compacted(after + tokensRemoved, after), { kind: "turn-end", outcome: "completed" }];
	}

	function failed(error: unknown): TurnEvent[] {
		const message = error instanceof Error ? error.message : String(error);
		if (message.includes("Nothing to compact")) return [NOTHING, { kind: "turn-end", outcome: "completed" }];
		const said = message.replace(/^.*failed with message: (host-rethrow: )?/s, "");
		const told = message === said ? fromAppError(error) : deps.describe({ errorType: "query", message: said });
		return [{ kind: "turn-end", outcome: "error", error: told }];
	}

	return {
		handle(event) {
			if (event.type === "session.compaction_complete" && event.agentId === undefined) done = event.data;
		},
		async *events(stop) {
			yield COMPACTING;
			let told: TurnEvent[];
			try {
				told = await compact(stop);
			} catch (error) {
				told = stop.aborted ? [ABORTED] : failed(error);
			}
			yield* told;
		},
	};
}

const ABORTED: TurnEvent = { kind: "turn-end", outcome: "aborted" };
const NOTHING: TurnEvent = {
	...{ kind: "notice", code: "nothing-to-compact", lasting: true },
	message: "There is nothing to summarise at the moment.",
};
const compacted = (before: number, after: number): TurnEvent => ({
	...{ kind: "notice", code: "compacted", params: { before, after }, lasting: true },
	message: `The history was summarised: ${before} tokens of context became ${after}.`,
});
