import type { SessionEvent } from "@github/copilot-sdk";
import type { Usage } from "@rightseat/protocol/model/turn";
import type { Clock } from "../../../core/kernel/clock.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { AgentSession, TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { runtimeErrors } from "../process/runtime-errors.ts";
import { type Compaction, type CompactionDeps, createCompaction } from "../turn/compaction.ts";
import { createAsides } from "./asides.ts";
import type { Attached, Attachment } from "./attachment.ts";
import { lookAtContext } from "./look-at-context.ts";

const ASIDE_TIMEOUT_MS = 30_000;
const LOOK_TIMEOUT_MS = 5_000;

export interface BesideDeps {
	attachment: Pick<Attachment, "attach" | "peek" | "invalidate">;
	/** Attached until this is over. */
	attachFor(over: () => Promise<void>): Promise<Attached>;
	clock: Clock;
	describe: CompactionDeps["describe"];
	onUsage(usage: Usage): void;
	/** What the demo pilot says is scripted: neither an answer nor a summary. */
	isDemo?: boolean;
}

/** What a session does beside the turns of people: side questions, a look at its context, a summary of its history. */
export interface Beside {
	readonly calls: Pick<AgentSession, "askAside" | "lookAtContext" | "compacts">;
	/** Every event of the session. */
	heard(event: SessionEvent): void;
	isCompacting(): boolean;
	/** A turn that is no prompt. Yields exactly one `turn-end`, last. Never rejects. */
	compact(stop: AbortSignal): AsyncGenerator<TurnEvent, void, undefined>;
	/** Stops a summary that is being made. */
	leave(): Promise<void>;
}

export function createBeside(deps: BesideDeps): Beside {
	const { attachment, clock } = deps;
	const isDemo = deps.isDemo === true;
	const asides = createAsides(deps.onUsage);
	let running: { compaction: Compaction; left: AbortController; over: Promise<void> } | undefined;
	const within = <T>(asked: Promise<T>, ms: number, gone: AbortSignal) =>
		withTimeout(asked, { clock, ms, late: runtimeErrors.noAnswer, gone });

	async function* compact(stop: AbortSignal): AsyncGenerator<TurnEvent, void, undefined> {
		let ended: () => void = () => undefined;
		const over = new Promise<void>((resolve) => {
			ended = resolve;
		});
		const compaction = createCompaction({
			...{ clock, describe: deps.describe, invalidate: attachment.invalidate },
			async attach() {
				const { sdk, gone } = await deps.attachFor(() => over);
				return { history: sdk.rpc.history, gone };
			},
		});
		const left = new AbortController();
		running = { compaction, left, over };
		try {
			yield* compaction.events(AbortSignal.any([stop, left.signal]));
		} finally {
			running = undefined;
			ended();
		}
	}

	return {
		heard(event) {
			asides.heard(event);
			running?.compaction.handle(event);
		},
		isCompacting: () => running !== undefined,
		compact,
		async leave() {
			running?.left.abort();
			await running?.over;
		},
		calls: {
			async askAside(question, waitMs = ASIDE_TIMEOUT_MS) {
				if (isDemo) return undefined;
				const { sdk, gone } = await attachment.attach();
				return asides.ask(async () => (await within(sdk.rpc.ui.ephemeralQuery({ question }), waitMs, gone)).answer);
			},
			async lookAtContext() {
				const held = attachment.peek();
				return held === undefined ? undefined : within(lookAtContext(held.sdk.rpc.metadata), LOOK_TIMEOUT_MS, held.gone);
			},
			compacts: () => !isDemo,
		},
	};
}
