import type { CopilotClient, CopilotSession, ProviderConfig } from "@github/copilot-sdk";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { AgentSession, OpenSession, TurnEvent, TurnInput } from "../../../core/ports/agent-runtime.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import type { Lease } from "../process/running-client.ts";
import { createTurn, notRunning, type Turn, type TurnDeps } from "../turn/turn.ts";
import { createToolCalls } from "./sdk-tools.ts";
import { sessionConfig } from "./session-config.ts";

export interface CopilotSessionDeps {
	options: OpenSession;
	clock: Clock;
	logger: Logger;
	lease(): Promise<Lease<CopilotClient>>;
	provider(): Promise<ProviderConfig | undefined>;
	/** Sees whether the working directory is there; it may have gone since the session was last attached. */
	folders: Pick<Folders, "look">;
	spills: string;
	systemPrompt?: string;
	gitHubToken?: string;
	describe: TurnDeps["describe"];
	onClosed(): void;
}

export interface OpenedSession extends AgentSession {
	/** Attaches to the runtime now instead of at the first turn. */
	open(): Promise<void>;
}

const RPC_LIMIT_MS = 15_000;
const DISCONNECT_LIMIT_MS = 2_000;
const REPLACED_LIMIT_MS = 5_000;

interface Attached {
	sdk: CopilotSession;
	lease: Lease<CopilotClient>;
	gone: AbortSignal;
	/** False once the runtime left a request unanswered: an old turn may still be running on it. */
	trusted: boolean;
}

/** One conversation's session. Survives the death of the runtime: the next turn resumes it on the new one. */
export function createCopilotSession(deps: CopilotSessionDeps): OpenedSession {
	const { options, clock } = deps;
	let model = options.model;
	let attached: Promise<Attached> | undefined;
	let current: Attached | undefined;
	let turn: Turn | undefined;
	let leave: () => Promise<void> = async () => undefined;
	let closed = false;
	const once = createToolCalls();

	const limit = (what: string, gone?: AbortSignal) => ({
		clock,
		ms: RPC_LIMIT_MS,
		late: () => tookTooLong(what),
		...(gone === undefined ? {} : { gone }),
	});

	async function attach(): Promise<Attached> {
		if (closed) throw closedMeanwhile();
		if (attached !== undefined) {
			const held = await attached.catch(() => undefined);
			if (held?.trusted && !held.gone.aborted && !held.lease.retired) return held;
		}
		attached = connect();
		return attached;
	}

	async function connect(): Promise<Attached> {
		await requireDirectory(deps.folders, options.cwd);
		let lease = await deps.lease();
		while (lease.retired) lease = await deps.lease();
		// A runtime that is replaced meanwhile must not stop before this session is open.
		const release = lease.hold();
		try {
			return await connectOn(lease);
		} finally {
			release();
		}
	}

	async function connectOn(lease: Lease<CopilotClient>): Promise<Attached> {
		const stale = current;
		current = undefined;
		if (stale !== undefined) await letGo(stale);
		const provider = await deps.provider();
		const { spills, logger, systemPrompt, gitHubToken } = deps;
		const config = sessionConfig({
			options,
			model,
			spills,
			logger,
			turn: () => (turn?.ended ? undefined : turn),
			once,
			...(provider === undefined ? {} : { provider }),
			...(systemPrompt === undefined ? {} : { systemPrompt }),
			...(gitHubToken === undefined ? {} : { gitHubToken }),
		});
		try {
			const sdk = await resumeOrCreate(lease, config);
			const held = { sdk, lease, gone: lease.gone, trusted: true };
			if (closed) {
				// Whoever closed it found nothing to disconnect yet.
				await letGo(held);
				throw closedMeanwhile();
			}
			current = held;
			sdk.on((event) => {
				lease.signOfLife();
				if (event.type === "external_tool.requested") once.requested(event.data);
				turn?.handle(event);
			});
			return held;
		} catch (error) {
			if (error instanceof AppError) throw error;
			logger.error({ sessionId: options.sessionId, err: String(error) }, "A session could not be opened");
			throw sessionFailure(error);
		}
	}

	async function resumeOrCreate({ client, gone }: Lease<CopilotClient>, config: ReturnType<typeof sessionConfig>): Promise<CopilotSession> {
		try {
			return await withTimeout(client.resumeSession(options.sessionId, config), limit("resume the session", gone));
		} catch (error) {
			// A session that never had a prompt leaves nothing behind to resume.
			if (!(error instanceof Error) || !error.message.includes("Session not found")) throw error;
			return await withTimeout(client.createSession({ ...config, sessionId: options.sessionId }), limit("create the session", gone));
		}
	}

	/** Two runtimes that hold one session would both write its history. */
	async function letGo(held: Attached) {
		const late = () => new AppError("session-failed", "the replaced runtime did not stop");
		if (!held.gone.aborted) await disconnect(held.sdk, deps);
		else if (held.lease.retired) await withTimeout(held.lease.stopped, { clock, ms: REPLACED_LIMIT_MS, late }).catch(() => undefined);
	}

	/** The runtime that a turn runs on stays until the turn is over, even if another one takes its place. */
	async function attachFor(running: () => Turn): Promise<Attached> {
		for (;;) {
			const held = await attach();
			if (held.lease.retired) continue;
			const release = held.lease.hold();
			void running().over.then(release);
			return held;
		}
	}

	function invalidate() {
		if (current !== undefined) current.trusted = false;
	}

	async function* run(input: TurnInput, signal: AbortSignal): AsyncGenerator<TurnEvent, void, undefined> {
		if (turn !== undefined && !turn.ended) throw new AppError("internal", "A turn is running on this session already.");
		const running: Turn = createTurn({
			clock,
			attach: () => attachFor(() => running),
			describe: deps.describe,
			invalidate,
		});
		turn = running;
		const left = new AbortController();
		leave = () => {
			left.abort();
			return running.over;
		};
		running.start(input, AbortSignal.any([signal, left.signal]));
		try {
			yield* running.events();
		} finally {
			left.abort();
		}
	}

	return {
		sessionId: options.sessionId,
		async open() {
			await attach();
		},
		run,
		async steer(input) {
			if (turn === undefined || turn.ended) throw notRunning();
			await turn.steer(input);
		},
		async setModel(next) {
			model = next;
			const held = current;
			if (held === undefined || held.gone.aborted) return;
			await withTimeout(held.sdk.setModel(next), limit("change the model", held.gone)).catch((error: unknown) => {
				deps.logger.warn(
					{ sessionId: options.sessionId, model: next, err: String(error) },
					"Changing the model failed; the session is resumed with it",
				);
				invalidate();
			});
		},
		async close() {
			if (closed) return;
			closed = true;
			// A session that is let go says nothing more, so its turn would never end.
			await leave();
			const held = current;
			current = undefined;
			if (held !== undefined && (held.lease.retired || !isDead(held.gone))) await letGo(held);
			deps.onClosed();
		},
	};
}

async function disconnect(sdk: CopilotSession, { clock, logger, options }: Pick<CopilotSessionDeps, "clock" | "logger" | "options">) {
	const late = () => new AppError("session-failed", "disconnect took too long");
	await withTimeout(sdk.disconnect(), { clock, ms: DISCONNECT_LIMIT_MS, late }).catch((error: unknown) =>
		logger.debug({ sessionId: options.sessionId, err: String(error) }, "A session was let go without an answer"),
	);
}

const isDead = (gone: AbortSignal) => gone.aborted && gone.reason instanceof AppError && gone.reason.code === "runtime-died";

async function requireDirectory(folders: CopilotSessionDeps["folders"], cwd: string) {
	const found = await folders.look(cwd);
	if (found?.isDirectory) return;
	throw new AppError("cwd-missing", `The working directory ${cwd} does not exist any more. Choose another one for this conversation.`, {
		params: { reason: "gone", path: cwd },
	});
}

const tookTooLong = (what: string) =>
	new AppError("session-failed", `The Copilot runtime did not ${what} in time. Send the message again.`, {
		retryable: true,
		params: { reason: "timed-out" },
	});
const closedMeanwhile = () =>
	new AppError("session-failed", "This session is closed. Send the message again.", { retryable: true, params: { reason: "closed" } });

function sessionFailure(error: unknown): AppError {
	const because = (error instanceof Error ? error.message : String(error)).slice(0, 300);
	const isDamaged = /Invalid event at line/.test(because);
	const message = isDamaged
		? "The agent's memory of this conversation is damaged and cannot be read. Start a new conversation; this one stays readable."
		: `The agent session could not be opened: ${because} Send the message again, or start a new conversation.`;
	return new AppError("session-failed", message, {
		cause: error,
		retryable: true,
		params: isDamaged ? { reason: "damaged" } : { reason: "not-opened", because },
	});
}
