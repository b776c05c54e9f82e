import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { settlesInTime } from "../../../core/kernel/with-timeout.ts";
import type { Mark } from "../../markers.ts";
import type { AcpDefinition, AcpLimits } from "../acp-definition.ts";
import { acpErrors, endReason } from "../acp-errors.ts";
import { createPeer, type Peer, type PeerDeps } from "../peer/peer.ts";
import { type AgentExit, type AgentProcess, startAgentProcess } from "../process/agent-process.ts";
import { type AgentInfo, INITIALIZE, readAgentInfo } from "./agent-info.ts";
import { createAgentWatch } from "./agent-watch.ts";

/** A running agent that has answered `initialize`. */
export interface Connection {
	readonly peer: Peer;
	readonly info: AgentInfo;
	/** Aborts when the agent died, froze, broke the protocol or was let go; its reason is an AppError. */
	readonly gone: AbortSignal;
	/** Resolves when nothing of it is left. */
	readonly dead: Promise<void>;
	/** From now on its end is one in the middle of work, and not a start that failed. */
	ready(): void;
	/** Watches for an agent that is frozen, until it is cancelled; one that waits for a tool need not read meanwhile. */
	watch(isWaiting: () => boolean): Cancel;
	/** Ends it at once, with all that it started; resolves when it is dead. */
	kill(): Promise<void>;
	/** Lets it end by itself, and kills it when it does not. */
	leave(beforehand: () => Promise<unknown>): Promise<void>;
}

export interface ConnectionDeps {
	definition: AcpDefinition;
	limits: AcpLimits;
	clock: Clock;
	account: PeerDeps["account"];
	logger: Logger;
	redact(text: string): string;
	cwd: string;
	env: Record<string, string>;
	mark: Mark;
	onRequest: PeerDeps["onRequest"];
	onNotification: PeerDeps["onNotification"];
	/** Ends it, also while it starts. */
	signal: AbortSignal;
}

/** Starts an agent. Rejects with an AppError, and nothing of it is left then. */
export async function connect(deps: ConnectionDeps): Promise<Connection> {
	const { definition, limits, clock, logger } = deps;
	const { name } = definition;
	const child = await start(deps);
	const gone = new AbortController();
	let isStarting = true;
	let buried: () => void = () => undefined;
	const dead = new Promise<void>((resolve) => {
		buried = resolve;
	});
	const peer = createPeer({
		...{
			input: child.stdout,
			output: child.stdin,
			clock,
			account: deps.account,
			onRequest: deps.onRequest,
			onNotification: deps.onNotification,
		},
		onCut: () => logger.warn({ agent: definition.id }, "A message of an agent held too much to be taken whole"),
		onBroken: (because) => fail(acpErrors.protocol(name, because)),
	});

	/** The first reason counts. */
	function end(error: AppError): boolean {
		if (gone.signal.aborted) return false;
		gone.abort(error);
		peer.close(error);
		return true;
	}
	function fail(error: AppError): void {
		if (!end(error)) return;
		logger.warn({ agent: definition.id, code: error.code, noise: peer.noise }, "An agent ended");
		void bury();
	}
	async function bury(): Promise<void> {
		await child.kill();
		buried();
	}
	function died(how: AgentExit): void {
		const because = deps.redact(endReason(how, child.stderr.text()));
		fail(isStarting ? acpErrors.startFailed(name, because) : acpErrors.died(name, because));
	}

	void child.exited.then(async (how) => {
		// Its last words may be a line that takes its time.
		if (peer.isHeld) await settlesInTime(clock, LAST_LINE_MS, peer.settled());
		died(how);
	});
	// Closed output and a living process: nothing will ever come.
	child.stdout.once("end", () => {
		clock.after(OUTPUT_CLOSED_MS, () => fail(acpErrors.died(name, "it closed its output")));
	});

	async function kill(): Promise<void> {
		end(acpErrors.closed());
		await bury();
	}

	const onAbort = () => void kill();
	deps.signal.addEventListener("abort", onAbort, { once: true });
	if (deps.signal.aborted) onAbort();
	try {
		const info = await initialize(peer, deps);
		return {
			...{ peer, info, gone: gone.signal, dead, kill },
			ready() {
				isStarting = false;
				deps.signal.removeEventListener("abort", onAbort);
			},
			watch: createAgentWatch({ peer, child, clock, limits }, () => fail(acpErrors.frozen(name, Math.round(limits.frozenAfterMs / 1_000)))),
			async leave(beforehand) {
				if (!gone.signal.aborted) await settlesInTime(clock, LAST_WORD_MS, beforehand()).catch(() => false);
				end(acpErrors.closed());
				child.stdin.end();
				await settlesInTime(clock, limits.leaveMs, child.exited);
				await bury();
			},
		};
	} catch (error) {
		await kill();
		throw error;
	}
}

const OUTPUT_CLOSED_MS = 1_000;
const LAST_LINE_MS = 5_000;
const LAST_WORD_MS = 1_000;

async function start({ definition, cwd, env, mark, clock }: ConnectionDeps): Promise<AgentProcess> {
	const { name, command, installCommand } = definition;
	try {
		return await startAgentProcess({ command, cwd, env, mark }, clock);
	} catch (error) {
		const code = error instanceof Error && "code" in error ? String(error.code) : "";
		if (code === "ENOENT" || code === "EACCES") throw acpErrors.missing(name, command[0] ?? "", installCommand);
		throw acpErrors.startFailed(name, error instanceof Error ? error.message : String(error));
	}
}

async function initialize(peer: Peer, { definition, limits }: ConnectionDeps): Promise<AgentInfo> {
	const { name, command } = definition;
	const answer = await peer.request("initialize", INITIALIZE, {
		ms: limits.initializeMs,
		late: () => acpErrors.startFailed(name, `it did not answer within ${Math.round(limits.initializeMs / 1_000)} s`),
		refused: ({ message }) => acpErrors.startFailed(name, message),
	});
	const info = readAgentInfo(answer, command);
	if (typeof info === "string") throw acpErrors.protocol(name, info);
	return info;
}
