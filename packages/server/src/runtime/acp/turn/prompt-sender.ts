import { AppError, toAppError } from "../../../core/kernel/errors.ts";
import type { TurnEvent, TurnInput } from "../../../core/ports/agent-runtime.ts";
import type { PeerFault } from "../../../mcp/message.ts";
import { acpErrors } from "../acp-errors.ts";
import { fieldsOf } from "../fields.ts";
import type { Answer } from "../peer/peer.ts";
import type { Connection } from "../session/connection.ts";
import { type PromptBlock, toPrompt } from "./prompt.ts";
import { readAnswer } from "./prompt-answer.ts";
import type { TurnShell } from "./turn-shell.ts";
import type { TurnRules } from "./turn-state.ts";
import type { SessionUpdate } from "./updates.ts";

/** The open session that a turn runs on. */
export interface TurnLink {
	readonly sessionId: string;
	readonly connection: Pick<Connection, "peer" | "gone" | "watch" | "info">;
	readonly commands: readonly string[];
	/** What comes before anything that the agent says: that a history is lost, what it said while nobody asked. */
	readonly notices: readonly TurnEvent[];
	readonly stray: readonly SessionUpdate[];
}

export interface PromptSender {
	/** Opens the session if need be, sends the prompt and reports everything to the shell. Never rejects. */
	run(input: TurnInput, stop: AbortSignal): Promise<void>;
	/** Rejects with `not-running` when the agent does not take it into the turn. */
	steer(input: TurnInput): Promise<void>;
	/** What the turn runs on now. */
	readonly link: TurnLink | undefined;
}

export interface PromptSenderDeps {
	shell(): TurnShell;
	rules(): TurnRules;
	attach(): Promise<TurnLink>;
	drop(): void;
	describe(fault: PeerFault): AppError;
	redact(text: string): string;
	/** For a tool or a person. */
	isWaiting(): boolean;
	/** The prompt is about to be sent. */
	onBegin(): void;
}

const UNKNOWN_SESSION = -32_002;
const STEER_LIMIT_MS = 10_000;

export function createPromptSender(deps: PromptSenderDeps): PromptSender {
	let link: TurnLink | undefined;
	let isSecond = false;

	const blocksOf = (input: TurnInput, { connection, commands }: TurnLink) =>
		toPrompt(input, {
			hasImages: connection.info.hasImages,
			hasEmbedded: connection.info.hasEmbedded,
			redact: deps.redact,
			swallowsSlash: deps.rules().quirks.swallowsSlash === true,
			commands,
		});

	async function run(input: TurnInput, stop: AbortSignal): Promise<void> {
		const shell = deps.shell();
		const onStop = () => shell.dispatch({ kind: "stop" });
		if (stop.aborted) return onStop();
		stop.addEventListener("abort", onStop, { once: true });
		shell.defer(() => stop.removeEventListener("abort", onStop));
		await open(async (attached) => blocksOf(input, attached));
	}

	async function open(toBlocks: (attached: TurnLink) => Promise<PromptBlock[]>): Promise<void> {
		const shell = deps.shell();
		try {
			const attached = await deps.attach();
			const prompt = await toBlocks(attached);
			if (shell.state.at === "ended") return;
			// Stopped between the first try and the second: nothing was sent on this process.
			if (shell.state.at === "stopping") shell.dispatch({ kind: "answered", stopReason: "cancelled", tokens: undefined });
			else begin(attached, prompt);
		} catch (error) {
			shell.dispatch({ kind: "open-failed", error: toAppError(error) });
		}
	}

	function begin(attached: TurnLink, prompt: PromptBlock[]): void {
		const shell = deps.shell();
		const { connection, sessionId, notices, stray } = attached;
		const { gone, peer } = connection;
		link = attached;
		function onGone(): void {
			if (link === attached) shell.dispatch({ kind: "gone", error: toAppError(gone.reason) });
		}
		gone.addEventListener("abort", onGone, { once: true });
		shell.defer(() => gone.removeEventListener("abort", onGone));
		shell.defer(connection.watch(deps.isWaiting));
		for (const notice of notices) shell.tell(notice);
		for (const update of stray) shell.dispatch({ kind: "update", update });
		deps.onBegin();
		shell.dispatch({ kind: "sent" });
		if (gone.aborted) onGone();
		peer.send("session/prompt", { sessionId, prompt }, (answer) => {
			if (link === attached) settle(answer, prompt);
		});
	}

	function settle(answer: Answer, prompt: PromptBlock[]): void {
		const { dispatch, state } = deps.shell();
		switch (answer.kind) {
			case "gone":
				dispatch({ kind: "gone", error: answer.error });
				return;
			case "fault":
				// A process behind the agent has died, and only resuming brings the session back. Nothing was done for this prompt.
				if (answer.fault.code === UNKNOWN_SESSION && !isSecond && !state.isHeard && state.at === "running") void sendAgain(prompt);
				else dispatch({ kind: "failed", error: deps.describe(answer.fault) });
				return;
			case "result": {
				const said = readAnswer(answer.result);
				if (said !== undefined) dispatch({ kind: "answered", ...said });
				else dispatch({ kind: "failed", error: acpErrors.protocol(deps.rules().name, "its answer to the prompt is none") });
			}
		}
	}

	async function sendAgain(prompt: PromptBlock[]): Promise<void> {
		isSecond = true;
		link = undefined;
		deps.drop();
		await open(async () => prompt);
	}

	return {
		run,
		async steer(input) {
			if (link === undefined || deps.shell().state.at !== "running" || !link.connection.info.canSteer) throw notRunning();
			const { sessionId, connection } = link;
			const params = { sessionId, prompt: await blocksOf(input, link), _meta: { steering: { idleBehavior: "promptRequired" } } };
			const limit = { ms: STEER_LIMIT_MS, late: notRunning, refused: notRunning };
			const answer = await connection.peer.request("_session/steering", params, limit);
			if (fieldsOf(answer).outcome !== "injected") throw notRunning();
		},
		get link() {
			return link;
		},
	};
}

export const notRunning = () => new AppError("not-running", "No turn is running that this could join. Send it as a message of its own.");
