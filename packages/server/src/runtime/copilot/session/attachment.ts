import type { CopilotSession, SessionConfigBase, SessionEvent } from "@github/copilot-sdk";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import type { Lease } from "../process/running-client.ts";

/** What is needed of the SDK to hold a session. */
interface SdkSession {
	on(listener: (event: SessionEvent) => void): unknown;
	setModel(model: string): Promise<unknown>;
	disconnect(): Promise<void>;
}
interface SdkClient<S> {
	resumeSession(sessionId: string, config: SessionConfigBase): Promise<S>;
	createSession(config: SessionConfigBase & { sessionId: string }): Promise<S>;
}

/** A session that a runtime holds for us. */
export interface Attached<S = CopilotSession> {
	readonly sdk: S;
	/** Whether the runtime knew this session already. */
	readonly history: "resumed" | "created";
	readonly lease: Lease<SdkClient<S>>;
	readonly gone: AbortSignal;
}

export interface AttachmentDeps<S = CopilotSession> {
	sessionId: string;
	cwd: string;
	clock: Clock;
	logger: Logger;
	lease(): Promise<Lease<SdkClient<S>>>;
	/** Sees whether the working directory is there; it may have gone since the session was last attached. */
	folders: Pick<Folders, "look">;
	config(): Promise<SessionConfigBase>;
	/** Before it is used: what it does not remember by itself. */
	prepare(sdk: S): Promise<void>;
	onEvent(event: SessionEvent): void;
}

/** Ties one session to the runtime of now: resumes it when that one died, was replaced or is no longer trusted. */
export interface Attachment<S = CopilotSession> {
	/** One that can be used; connects if there is none. Rejects with an AppError. */
	attach(): Promise<Attached<S>>;
	/** The one that is attached now; connects nothing. */
	peek(): Attached<S> | undefined;
	/** The runtime left a request unanswered: an old turn may still run, so the session is resumed before it is used again. */
	invalidate(): void;
	setModel(model: string): Promise<void>;
	/** The session, if it can be used now. */
	attached(): S | undefined;
	/** Does `prepare` again if it is attached; when that fails it is resumed before it is used again. */
	prepareAgain(): Promise<void>;
	close(): Promise<void>;
}

type State<S> =
	| { at: "detached" }
	| { at: "connecting"; attempt: Promise<Attached<S>> }
	| { at: "attached"; held: Attached<S>; valid: boolean }
	| { at: "closed" };

const RPC_LIMIT_MS = 15_000;
const DISCONNECT_LIMIT_MS = 2_000;
const REPLACED_LIMIT_MS = 5_000;

export function createAttachment<S extends SdkSession>(deps: AttachmentDeps<S>): Attachment<S> {
	const { sessionId, clock, logger } = deps;
	let state: State<S> = { at: "detached" };

	const isClosed = () => state.at === "closed";

	async function attach(): Promise<Attached<S>> {
		for (;;) {
			switch (state.at) {
				case "closed":
					throw closedMeanwhile();
				case "attached":
					if (state.valid && !state.held.gone.aborted && !state.held.lease.retired) return state.held;
					return begin(state.held);
				case "connecting":
					// Whoever began it hears of its failure; this caller tries for itself.
					await state.attempt.catch(() => undefined);
					break;
				case "detached":
					return begin(undefined);
			}
		}
	}

	function begin(stale: Attached<S> | undefined): Promise<Attached<S>> {
		const attempt = connect(stale).then(
			async (held) => {
				if (isClosed()) {
					// Whoever closed it found nothing to disconnect yet.
					await letGo(held, deps);
					throw closedMeanwhile();
				}
				state = { at: "attached", held, valid: true };
				return held;
			},
			async (error: unknown) => {
				if (!isClosed()) state = stale === undefined ? { at: "detached" } : { at: "attached", held: stale, valid: false };
				// Whoever closed it meanwhile found nothing to disconnect, and the runtime still holds the one before.
				else if (stale !== undefined) await letGo(stale, deps);
				throw error;
			},
		);
		state = { at: "connecting", attempt };
		return attempt;
	}

	async function connect(stale: Attached<S> | undefined): Promise<Attached<S>> {
		await requireDirectory(deps.folders, deps.cwd);
		let lease = await deps.lease();
		while (lease.retired) lease = await deps.lease();
		// A runtime that is replaced meanwhile must not stop before this session is open.
		const release = lease.hold();
		try {
			if (stale !== undefined) await letGo(stale, deps);
			const { sdk, history } = await resumeOrCreate(lease, await deps.config(), deps);
			sdk.on((event) => {
				lease.signOfLife();
				deps.onEvent(event);
			});
			await withTimeout(deps.prepare(sdk), rpcLimit("set up the session", clock, lease.gone));
			return { sdk, history, lease, gone: lease.gone };
		} catch (error) {
			if (error instanceof AppError) throw error;
			logger.error({ sessionId, err: error }, "A session could not be opened");
			throw sessionFailure(error);
		} finally {
			release();
		}
	}

	function invalidate() {
		if (state.at === "attached") state = { ...state, valid: false };
	}

	/** What fails is done when the session is resumed. */
	async function change(what: string, run: (sdk: S) => Promise<unknown>) {
		if (state.at !== "attached" || state.held.gone.aborted) return;
		const { sdk, gone } = state.held;
		await withTimeout(run(sdk), rpcLimit(what, clock, gone)).catch((error: unknown) => {
			logger.warn({ sessionId, err: error }, `The runtime did not ${what}; the session is resumed with it`);
			invalidate();
		});
	}

	return {
		attach,
		peek: () => (state.at === "attached" && state.valid && !state.held.gone.aborted ? state.held : undefined),
		invalidate,
		attached: () => (state.at === "attached" && !state.held.gone.aborted ? state.held.sdk : undefined),
		setModel: (model) => change("change the model", (sdk) => sdk.setModel(model)),
		prepareAgain: () => change("change how it works", (sdk) => deps.prepare(sdk)),
		async close() {
			const last = state;
			state = { at: "closed" };
			if (last.at === "attached" && (last.held.lease.retired || !isDead(last.held.gone))) await letGo(last.held, deps);
		},
	};
}

type Reach = Pick<AttachmentDeps<unknown>, "clock" | "logger" | "sessionId">;

async function resumeOrCreate<S>(
	{ client, gone }: Lease<SdkClient<S>>,
	config: SessionConfigBase,
	{ sessionId, clock }: Reach,
): Promise<Pick<Attached<S>, "sdk" | "history">> {
	try {
		const sdk = await withTimeout(client.resumeSession(sessionId, config), rpcLimit("resume the session", clock, gone));
		return { sdk, history: "resumed" };
	} catch (error) {
		// A session that never had a prompt leaves nothing behind to resume.
		if (!(error instanceof Error) || !error.message.includes("Session not found")) throw error;
		const sdk = await withTimeout(client.createSession({ ...config, sessionId }), rpcLimit("create the session", clock, gone));
		return { sdk, history: "created" };
	}
}

/** Two runtimes that hold one session would both write its history. */
async function letGo<S extends SdkSession>({ sdk, gone, lease }: Attached<S>, { clock, logger, sessionId }: Reach) {
	if (!gone.aborted) {
		const late = () => new AppError("session-failed", "disconnect took too long");
		await withTimeout(sdk.disconnect(), { clock, ms: DISCONNECT_LIMIT_MS, late }).catch((error: unknown) =>
			logger.debug({ sessionId, err: error }, "A session was let go without an answer"),
		);
	} else if (lease.retired) {
		const late = () => new AppError("session-failed", "the replaced runtime did not stop");
		await withTimeout(lease.stopped, { clock, ms: REPLACED_LIMIT_MS, late }).catch(() => undefined);
	}
}

const rpcLimit = (what: string, clock: Clock, gone: AbortSignal) => ({ clock, ms: RPC_LIMIT_MS, late: () => tookTooLong(what), gone });

const isDead = (gone: AbortSignal) => gone.aborted && gone.reason instanceof AppError && gone.reason.code === "runtime-died";

async function requireDirectory(folders: AttachmentDeps["folders"], cwd: string) {
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
