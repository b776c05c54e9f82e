import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError, toAppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import type { SessionSettings } from "../../../core/ports/agent-runtime.ts";
import type { AgentTool } from "../../../core/ports/agent-tool.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import type { Markers } from "../../markers.ts";
import type { AcpDefinition, AcpLimits } from "../acp-definition.ts";
import { acpErrors } from "../acp-errors.ts";
import type { OpenedTools, OpenTools, ToolServer } from "../mcp/tool-server.ts";
import type { PeerDeps } from "../peer/peer.ts";
import { agentEnvironment } from "../process/agent-env.ts";
import type { Quirks } from "../quirks.ts";
import { OUR_SERVER } from "../turn/our-tools.ts";
import type { AgentInfo } from "./agent-info.ts";
import { applyOptions } from "./apply-options.ts";
import { type Connection, connect } from "./connection.ts";
import { type OpenedAgentSession, openAgentSession } from "./open-session.ts";
import type { ProcessSlots, SlotHolder } from "./process-slots.ts";

/** What the runtime is told about the processes of its agent. */
export interface ProcessWatch {
	/** Throws when nothing may be started now. */
	begin(): void;
	started(info: AgentInfo): void;
	notStarted(error: AppError): void;
	/** With an error when it ended by itself. */
	ended(error?: AppError): void;
}

export interface AttachmentDeps {
	definition: AcpDefinition;
	quirks: Quirks;
	limits: AcpLimits;
	clock: Clock;
	logger: Logger;
	redact(text: string): string;
	env: Record<string, string | undefined>;
	markers: Pick<Markers, "next">;
	folders: Pick<Folders, "look"> | undefined;
	/** Counts what the agent said and nobody has fetched yet. */
	account: Pick<MemoryAccount, "add">;
	toolServer: Pick<ToolServer, "open">;
	slots: ProcessSlots;
	watch: ProcessWatch;
	/** Its id. */
	conversation: string;
	cwd: string;
	tools: readonly AgentTool[];
	onCall: OpenTools["onCall"];
	onRequest: PeerDeps["onRequest"];
	onNotification: PeerDeps["onNotification"];
	isBusy(): boolean;
	/** The agent's id of the session, and what it shall be set to, as of now. */
	wanted(): SessionSettings & { previous: string | null; model: string };
	onReplay(isReplaying: boolean): void;
}

/** A process with our session open in it. */
export interface Attached extends OpenedAgentSession {
	readonly connection: Connection;
}

/** The process of one session: started when it is needed, and again after it has ended, never two at once. */
export interface Attachment {
	/** Rejects with an AppError. */
	attach(): Promise<Attached>;
	/** What is attached and alive. */
	readonly current: Attached | undefined;
	/** Ends the process at once. */
	drop(): void;
	/** Lets the process go in an orderly way; what is being started is ended. */
	leave(): Promise<void>;
}

export function createAttachment(deps: AttachmentDeps): Attachment {
	const { limits, slots, watch } = deps;
	let current: Attached | undefined;
	let attaching: Promise<Attached> | undefined;
	let starting = new AbortController();
	/** The one before is dead: two processes on one session answer each other. */
	let ending: Promise<unknown> = Promise.resolve();
	const holder: SlotHolder = { isIdle: () => !deps.isBusy() && attaching === undefined, leave };

	const alive = () => (current?.connection.gone.aborted === false ? current : undefined);

	async function attach(): Promise<Attached> {
		slots.touch(holder);
		attaching ??= reattach().finally(() => {
			attaching = undefined;
		});
		return alive() ?? attaching;
	}

	async function reattach(): Promise<Attached> {
		const held = alive();
		if (held !== undefined) return held;
		await ending;
		watch.begin();
		starting = new AbortController();
		try {
			await requireDirectory(deps);
			await slots.take(holder);
			current = await open(deps, starting.signal);
			const { gone, dead } = current.connection;
			gone.addEventListener("abort", () => onOver(dead, toAppError(gone.reason)), { once: true });
			watch.started(current.connection.info);
			return current;
		} catch (error) {
			slots.release(holder);
			const known = toAppError(error);
			watch.notStarted(known);
			throw known;
		}
	}

	function onOver(dead: Promise<void>, error: AppError): void {
		ending = dead.then(() => slots.release(holder));
		watch.ended(error.code === "session-failed" ? undefined : error);
	}

	async function leave(): Promise<void> {
		starting.abort();
		// Waited for: nobody else knows its process.
		await attaching?.catch((error: unknown) => deps.logger.debug({ err: error }, "A session was closed before it was open"));
		const held = alive();
		if (held !== undefined) {
			const { connection, sessionId } = held;
			const request = { ms: limits.optionMs, late: acpErrors.closed, refused: acpErrors.closed };
			// Nobody's from here on: a turn that begins now waits until this one is gone, and starts another.
			current = undefined;
			ending = connection.leave(async () => {
				if (connection.info.canClose) await connection.peer.request("session/close", { sessionId }, request);
			});
			await ending;
		}
		await ending;
	}

	return {
		attach,
		get current() {
			return alive();
		},
		drop() {
			void alive()?.connection.kill();
		},
		leave,
	};
}

async function open(deps: AttachmentDeps, signal: AbortSignal): Promise<Attached> {
	const { definition, limits, clock, logger, quirks } = deps;
	const { name } = definition;
	const mark = await deps.markers.next();
	const own = { ...definition.env, ...definition.environment?.(deps.env) };
	const connection = await connect({
		...{ definition, limits, clock, logger, account: deps.account, redact: deps.redact, cwd: deps.cwd, mark, signal },
		env: agentEnvironment(deps.env, { own, marker: mark.marker, conversation: deps.conversation }),
		onRequest: deps.onRequest,
		onNotification: deps.onNotification,
	});
	let tools: OpenedTools | undefined;
	try {
		if (connection.info.hasHttp && deps.tools.length > 0) tools = await deps.toolServer.open({ tools: deps.tools, onCall: deps.onCall });
		const { previous, ...settings } = deps.wanted();
		const opened = await openAgentSession(connection, {
			...{ name, previous, cwd: deps.cwd, limits, onReplay: deps.onReplay },
			loginCommand: definition.loginCommand ?? connection.info.loginCommand,
			mcpServers: tools === undefined ? [] : [mcpServer(tools)],
			meta: quirks.sessionMeta?.(tools === undefined ? [] : deps.tools.map((tool) => tool.name)),
		});
		const setting = { peer: connection.peer, sessionId: opened.sessionId, name, ms: limits.optionMs, logger };
		const options = await applyOptions(opened.options, { ...settings, rules: quirks }, setting);
		connection.gone.addEventListener("abort", () => tools?.close(), { once: true });
		// It may have died between its last answer and now.
		if (connection.gone.aborted) throw toAppError(connection.gone.reason);
		connection.ready();
		return { ...opened, options, connection };
	} catch (error) {
		tools?.close();
		await connection.kill();
		throw error;
	}
}

const mcpServer = ({ url, token }: OpenedTools) => ({
	...{ type: "http", name: OUR_SERVER, url },
	headers: [{ name: "Authorization", value: `Bearer ${token}` }],
});

async function requireDirectory({ folders, cwd }: AttachmentDeps): Promise<void> {
	if (folders === undefined || (await folders.look(cwd))?.isDirectory) return;
	throw new AppError("cwd-missing", `The working directory ${cwd} does not exist any more. Choose another one for this conversation.`, {
		params: { reason: "gone", path: cwd },
	});
}
