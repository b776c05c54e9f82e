import type { CopilotClient, CopilotSession, ProviderConfig, SessionConfigBase } from "@github/copilot-sdk";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { AgentSession, OpenSession, TurnEvent, TurnInput } from "../../../core/ports/agent-runtime.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import { createServerSession } from "../mcp/server-session.ts";
import type { SessionServersDeps } from "../mcp/session-servers.ts";
import type { Lease } from "../process/running-client.ts";
import { usageOf } from "../turn/translate.ts";
import { createTurn, notRunning, type Turn, type TurnDeps } from "../turn/turn.ts";
import { createAttachment } from "./attachment.ts";
import { createBeside } from "./beside.ts";
import { createSessionCommands } from "./commands.ts";
import { keepSettings } from "./kept-settings.ts";
import { createToolCalls } from "./sdk-tools.ts";
import { sessionConfig } from "./session-config.ts";
import { createSessionTrust, type SessionTrustDeps } from "./session-trust.ts";
import { createTodoReader } from "./todo-reader.ts";

export interface CopilotSessionDeps {
	options: OpenSession;
	clock: Clock;
	logger: Logger;
	/** Counts what waits for the readers of turns. */
	account: TurnDeps["account"];
	lease(): Promise<Lease<CopilotClient>>;
	provider(): Promise<ProviderConfig | undefined>;
	/** Another account has been connected than the one of this session. */
	isReplaced(): boolean;
	folders: Pick<Folders, "look">;
	trusted: SessionTrustDeps["trusted"];
	spills: string;
	systemPrompt?: string;
	gitHubToken?: string;
	isDemo?: boolean;
	tryServer: SessionServersDeps["tryServer"];
	describe: TurnDeps["describe"];
	redact: TurnDeps["redact"];
	onClosed(): void;
}

export interface OpenedSession extends AgentSession {
	/** Attaches to the runtime now instead of at the first turn; `opened` is true from then on. */
	open(): Promise<void>;
}

/** One conversation's session. Survives the death of the runtime: the next turn resumes it on the new one. */
export function createCopilotSession(deps: CopilotSessionDeps): OpenedSession {
	const { options, clock, logger } = deps;
	const { sessionId, cwd } = options;
	const once = createToolCalls();
	const settings = keepSettings(options);
	const trust = createSessionTrust({ cwd, folders: deps.folders, trusted: deps.trusted });
	const servers = createServerSession({
		...{ options, clock, logger, tryServer: deps.tryServer, attachment: () => attachment, notice: (said) => turn?.notice(said) },
	});
	const attachment = createAttachment<CopilotSession>({
		...{ sessionId, cwd, clock, logger },
		lease: deps.lease,
		folders: deps.folders,
		config,
		prepare: settings.prepare,
		onEvent(event) {
			settings.heard(event);
			if (event.type === "external_tool.requested") once.requested(event.data);
			if (event.type === "session.todos_changed") todos.changed();
			beside.heard(event);
			servers.handle(event);
			// The runtime summarises what was said by itself, also when the turn is over by then.
			if (event.type === "assistant.usage" && turn?.ended !== false) options.onLateUsage(usageOf(event.data));
			else turn?.handle(event);
		},
	});
	const todos = createTodoReader({ attach: () => attachment.attach(), onTodos: options.onTodos, clock, logger });
	const beside = createBeside({ ...deps, attachment, attachFor: servers.holdFor, onUsage: options.onLateUsage });
	let model = options.model;
	let turn: Turn | undefined;
	let leave: () => Promise<void> = async () => undefined;
	let opened: AgentSession["opened"] = "new";
	let closed = false;

	async function config(): Promise<SessionConfigBase> {
		const [provider, isTrusted] = [await deps.provider(), await trust.decide()];
		const { spills, systemPrompt, gitHubToken } = deps;
		return sessionConfig({
			options,
			model,
			spills,
			isTrusted,
			logger,
			turn: () => (turn?.ended ? undefined : turn),
			once,
			session: attachment.attached,
			servers: await servers.config(),
			...(provider === undefined ? {} : { provider }),
			...(systemPrompt === undefined ? {} : { systemPrompt }),
			...(gitHubToken === undefined ? {} : { gitHubToken }),
		});
	}

	async function* run(input: TurnInput, signal: AbortSignal, taken?: (mark: string) => void): AsyncGenerator<TurnEvent, void, undefined> {
		if ((turn !== undefined && !turn.ended) || beside.isCompacting()) throw alreadyRunning();
		if (input.task === "compact") return yield* beside.compact(signal);
		const running: Turn = createTurn({
			clock,
			account: deps.account,
			attach: () => servers.attachFor(() => running.over),
			...{ describe: deps.describe, mayGoOn: options.mayGoOn, redact: deps.redact },
			invalidate: attachment.invalidate,
			...(taken === undefined ? {} : { taken }),
			...(turn === undefined ? {} : { team: turn.team() }),
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
		sessionId,
		setup: servers.setup,
		get opened() {
			return opened;
		},
		async open() {
			const { history } = await attachment.attach();
			if (history === "resumed") opened = "resumed";
			else opened = options.previous === null ? "new" : "lost";
		},
		isOutdated: () => deps.isReplaced() || trust.isOutdated(),
		run,
		async steer(input) {
			if (turn === undefined || turn.ended) throw notRunning();
			await turn.steer(input);
		},
		stopAgent: async (agentId) => turn !== undefined && !turn.ended && turn.stopAgent(agentId),
		...beside.calls,
		...createSessionCommands({ attachment, clock }),
		async setModel(next) {
			model = next;
			await attachment.setModel(next);
		},
		apply: (wanted) => settings.apply(wanted, attachment.prepareAgain),
		async close() {
			if (closed) return;
			closed = true;
			// A session that is let go says nothing more, so its turn would never end.
			await Promise.all([leave(), beside.leave()]);
			todos.close();
			await attachment.close();
			deps.onClosed();
		},
	};
}

const alreadyRunning = () => new AppError("internal", "A turn is running on this session already.");
