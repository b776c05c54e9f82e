import type { AgentSession, OpenSession, TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { createAgentRequests } from "../asks/agent-requests.ts";
import type { Approvals } from "../asks/permissions.ts";
import { createToolCallHost } from "../asks/tool-calls.ts";
import { fieldsOf } from "../fields.ts";
import type { TurnLink } from "../turn/prompt-sender.ts";
import { createStrayUpdates } from "../turn/stray-updates.ts";
import type { Turn } from "../turn/turn.ts";
import { readUpdate } from "../turn/updates.ts";
import { type Attached, type AttachmentDeps, createAttachment } from "./attachment.ts";
import { createKnownOptions, type KnownOptions } from "./known-options.ts";
import type { Options } from "./options.ts";

type FromRuntime =
	| ("definition" | "quirks" | "limits" | "clock" | "logger" | "redact" | "env" | "markers")
	| ("folders" | "toolServer" | "slots" | "watch" | "account");

export interface AgentLinkDeps extends Pick<AttachmentDeps, FromRuntime> {
	options: OpenSession;
	approvals: Approvals;
	/** The running turn; undefined while none runs. */
	running(): Turn | undefined;
	/** The model that is wanted as of now. */
	model(): string;
	/** What can be chosen, whenever that is known anew. */
	onOptions(options: Options): void;
}

/** The agent's side of a session: its process, its id there, and what it says, with or without a turn. */
export interface AgentLink {
	/** Starts the process if need be; the caller looks at `opened` then. Rejects with an AppError. */
	attach(): Promise<void>;
	/** The same for a turn, with what came while none ran. */
	attachForTurn(): Promise<TurnLink>;
	drop(): void;
	leave(): Promise<void>;
	readonly current: Attached | undefined;
	/** Undefined before it was open. */
	readonly sessionId: string | undefined;
	/** How it was opened last. */
	readonly opened: AgentSession["opened"];
	readonly known: KnownOptions;
}

export function createAgentLink(deps: AgentLinkDeps): AgentLink {
	const { definition, quirks, limits, logger, options: wanted, running, approvals } = deps;
	const { name } = definition;
	const stray = createStrayUpdates();
	let sessionId: string | undefined;
	let opened: AgentSession["opened"] = "new";
	let isReplaying = false;
	let isLost = false;
	let missing: string[] = [];

	const attachment = createAttachment({
		...deps,
		...{ conversation: wanted.sessionId, cwd: wanted.cwd, tools: wanted.tools, onNotification },
		onCall: createToolCallHost({ turn: running, permit: wanted.permit, approvals }),
		onRequest: createAgentRequests({
			...{ turn: running, ask: wanted.ask, permit: wanted.permit, approvals, logger },
			sessionId: () => attachment.current?.sessionId,
			onRefused: stray.addRefused,
			asksByPermission: quirks.asksByPermission === true,
		}),
		isBusy: () => running() !== undefined,
		wanted: () => ({ ...wanted.settings(), previous: sessionId ?? wanted.previous, model: deps.model() }),
		onReplay(now) {
			isReplaying = now;
		},
	});
	const { settings, onModeLeft } = wanted;
	const known = createKnownOptions({
		...{ definition, quirks, limits, logger, settings, onModeLeft, onOptions: deps.onOptions },
		current: () => attachment.current,
	});

	function onNotification(method: string, raw: unknown): void {
		if (method !== "session/update") return;
		const params = fieldsOf(raw);
		const update = readUpdate(params.update);
		known.learn(update);
		// Before a session is open, and while its history is replayed, nothing of it is news; and we know no other session.
		if (isReplaying || attachment.current === undefined || params.sessionId !== attachment.current.sessionId) return;
		const turn = running();
		if (turn === undefined) stray.add(update);
		else turn.handle(update);
	}

	async function attach(): Promise<Attached> {
		const before = attachment.current;
		const attached = await attachment.attach();
		if (attached === before) return attached;
		// A session that was lost while it was held, and in the middle of a turn: its owner could not see it.
		isLost = sessionId !== undefined && attached.opened === "lost";
		opened = attached.opened;
		sessionId = attached.sessionId;
		known.set(attached.options);
		missing = known.notTaken();
		return attached;
	}

	return {
		async attach() {
			await attach();
			isLost = false;
		},
		async attachForTurn() {
			const { connection, sessionId: id } = await attach();
			const { updates, refused } = stray.take();
			const notices = [
				...(isLost ? [historyLost(name)] : []),
				...(updates.some(({ kind }) => kind !== "title") ? [spokeMeanwhile(name)] : []),
				...missing.map((value) => notTaken(name, value)),
				...refused.map((what) => refusedMeanwhile(name, what)),
			];
			isLost = false;
			missing = [];
			return { connection, sessionId: id, commands: known.commands, notices, stray: updates };
		},
		drop: attachment.drop,
		leave: attachment.leave,
		get current() {
			return attachment.current;
		},
		get sessionId() {
			return sessionId;
		},
		get opened() {
			return opened;
		},
		known,
	};
}

const historyLost = (name: string): TurnEvent => ({
	kind: "notice",
	code: "history-lost",
	message: `${name} does not know the earlier history of this conversation any more.`,
	params: { name },
	lasting: true,
});
const spokeMeanwhile = (name: string): TurnEvent => ({
	kind: "notice",
	code: "agent-spoke",
	message: `${name} went on by itself after the turn before; what it said then stands here.`,
	params: { name },
	lasting: true,
});
const notTaken = (name: string, value: string): TurnEvent => ({
	kind: "notice",
	code: "option-not-taken",
	message: `${name} has no “${value}” here, and goes on with its own.`,
	params: { name, value },
});
const refusedMeanwhile = (name: string, what: string): TurnEvent => ({
	kind: "notice",
	code: "agent-asked-late",
	message: `${name} asked for a permission while no turn ran, and it was refused: ${what}`,
	params: { name, what },
	lasting: true,
});
