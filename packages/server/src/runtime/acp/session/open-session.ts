import * as z from "zod/mini";
import { AppError } from "../../../core/kernel/errors.ts";
import type { PeerFault } from "../../../mcp/message.ts";
import type { AcpLimits } from "../acp-definition.ts";
import { acpErrors } from "../acp-errors.ts";
import type { Connection } from "./connection.ts";
import { type Options, readOptions } from "./options.ts";

export interface SessionWanted {
	/** The agent's, as people read it. */
	name: string;
	loginCommand: string | undefined;
	previous: string | null;
	cwd: string;
	mcpServers: object[];
	meta: Record<string, unknown> | undefined;
	limits: AcpLimits;
	/** While a history is replayed its updates are nobody's. */
	onReplay(isReplaying: boolean): void;
}

/** A session that the agent has opened. */
export interface OpenedAgentSession {
	sessionId: string;
	opened: "new" | "resumed" | "lost";
	options: Options;
}

export const LOGIN_NEEDED = -32_000;

/** What a session was refused for; `isFinal`: a new session would be wrong. */
class OpenRefused extends AppError {
	readonly isFinal: boolean;
	constructor(error: AppError, isFinal: boolean) {
		super(error.code, error.message, { retryable: error.retryable, params: error.params });
		this.isFinal = isFinal;
	}
}

/** Resumes the session, else loads it with the replay swallowed, else makes a new one and says that the history is lost. Rejects with an AppError. */
export async function openAgentSession(connection: Connection, wanted: SessionWanted): Promise<OpenedAgentSession> {
	const { previous } = wanted;
	if (previous !== null) {
		const methods = [
			...(connection.info.canResume ? (["session/resume"] as const) : []),
			...(connection.info.canLoad ? (["session/load"] as const) : []),
		];
		for (const method of methods) {
			const options = await reopen(connection, method, previous, wanted);
			if (options !== undefined) return { sessionId: previous, opened: "resumed", options };
		}
	}
	const answer = await ask(connection, "session/new", {}, wanted);
	const made = newSchema.safeParse(answer);
	if (!made.success) throw acpErrors.protocol(wanted.name, "its answer to session/new has no session in it");
	return { sessionId: made.data.sessionId, opened: previous === null ? "new" : "lost", options: readOptions(answer) };
}

/** Of the id that an agent gives a session. */
export const MAX_SESSION_ID_CHARS = 500;
const newSchema = z.object({ sessionId: z.string().check(z.minLength(1), z.maxLength(MAX_SESSION_ID_CHARS)) });

/** Undefined: the agent does not know it, whatever code it says that with. */
async function reopen(
	connection: Connection,
	method: "session/resume" | "session/load",
	sessionId: string,
	wanted: SessionWanted,
): Promise<Options | undefined> {
	wanted.onReplay(true);
	try {
		return readOptions(await ask(connection, method, { sessionId }, wanted));
	} catch (error) {
		if (error instanceof OpenRefused && !error.isFinal) return undefined;
		throw error;
	} finally {
		wanted.onReplay(false);
	}
}

function ask(connection: Connection, method: string, params: object, wanted: SessionWanted): Promise<unknown> {
	const { cwd, mcpServers, meta, limits, name } = wanted;
	return connection.peer.request(
		method,
		{ ...params, cwd, mcpServers, ...(meta === undefined ? {} : { _meta: meta }) },
		{
			ms: method === "session/load" ? limits.loadMs : limits.openMs,
			late: () => acpErrors.startFailed(name, `it did not answer ${method} in time; one of its MCP servers may hang`),
			refused: (fault) => refusal(fault, wanted),
		},
	);
}

function refusal({ code, message }: PeerFault, { name, loginCommand }: SessionWanted): OpenRefused {
	if (code === LOGIN_NEEDED) return new OpenRefused(acpErrors.login(name, loginCommand), true);
	return new OpenRefused(acpErrors.startFailed(name, message), /\bin use\b/i.test(message));
}
