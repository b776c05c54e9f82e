import { homedir } from "node:os";
import { CONVERSATION_VARIABLE } from "@rightseat/protocol/mcp-caller";
import type { RunRequest } from "../daemon/shelld-protocol.ts";
import { type BashProcess, launch } from "../process/launch.ts";
import type { Native } from "../process/native.ts";
import type { StateRun, StateStore } from "../state/state-store.ts";

export interface StartBashDeps {
	/** Environment of a fresh command. */
	env: Promise<Record<string, string>>;
	/** The bash to run; rejects with what to do when there is none. */
	bash: Promise<string>;
	runDirectory: string;
	tag(key: string): string;
	native: Native;
	started: Set<number>;
	states: StateStore;
	launch?: typeof launch;
}

export interface StartedBash {
	bash: BashProcess;
	/** Undefined for a command without a conversation: its state is nobody's. */
	run: StateRun | undefined;
}

/** Starts bash with the state of its conversation. Undefined when it is no longer wanted; rejects with what to do when that is not possible. */
export async function startBash(request: RunRequest, deps: StartBashDeps, isWanted: () => boolean): Promise<StartedBash | undefined> {
	// A reset that comes after the request, and before bash runs, must not bring the old state back.
	const askedAt = deps.states.tick();
	const env = await deps.env;
	if (!isWanted()) return undefined;
	const run = request.conversation === null ? undefined : deps.states.begin(request.conversation, askedAt, request.fresh);
	const path = await deps.bash;
	if (!isWanted()) return undefined;
	const bash = (deps.launch ?? launch)({
		key: request.key,
		command: request.command,
		directories: request.fresh === true ? [request.cwd] : [request.cwd, request.fallbackCwd, homedir()],
		exactly: request.fresh === true,
		sayMoved: request.want === "head",
		bash: path,
		env: request.conversation === null ? env : { ...env, [CONVERSATION_VARIABLE]: request.conversation },
		tag: deps.tag(request.key),
		runDirectory: deps.runDirectory,
		restore: run?.restore ?? null,
		native: deps.native,
		started: deps.started,
	});
	return { bash, run };
}
