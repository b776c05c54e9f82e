import { cutText } from "@rightseat/protocol/text";
import type { ListedSession, SessionPage } from "../../../core/ports/listed-sessions.ts";
import type { AcpLimits } from "../acp-definition.ts";
import { acpErrors } from "../acp-errors.ts";
import { fieldsOf, listOf, textOf, wordOf } from "../fields.ts";
import type { Connection } from "./connection.ts";
import { MAX_SESSION_ID_CHARS } from "./open-session.ts";

/** Of one page, whatever the agent puts on it. */
export const MAX_LISTED_SESSIONS = 200;
const MAX_TITLE_CHARS = 200;
const MAX_PATH_CHARS = 4_096;
const MAX_CURSOR_CHARS = 2_000;

/** One page of the sessions that the agent keeps. Rejects with an AppError. */
export async function listSessions(
	{ info, peer }: Pick<Connection, "info" | "peer">,
	{ name, limits, cursor }: { name: string; limits: Pick<AcpLimits, "openMs">; cursor: string | undefined },
): Promise<SessionPage> {
	if (!info.canList) return { sessions: [] };
	const answer = await peer.request("session/list", cursor === undefined ? {} : { cursor }, {
		ms: limits.openMs,
		late: () => acpErrors.startFailed(name, "it did not list its sessions in time"),
		refused: ({ message }) => acpErrors.said(name, message),
	});
	const { sessions, nextCursor } = fieldsOf(answer);
	const next = wordOf(nextCursor);
	return {
		sessions: listOf(sessions).slice(0, MAX_LISTED_SESSIONS).flatMap(readSession),
		...(next === undefined || next.length > MAX_CURSOR_CHARS ? {} : { nextCursor: next }),
	};
}

function readSession(raw: unknown): ListedSession[] {
	const session = fieldsOf(raw);
	const [sessionId, cwd, updatedAt] = [wordOf(session.sessionId), textOf(session.cwd), wordOf(session.updatedAt)];
	if (sessionId === undefined || sessionId.length > MAX_SESSION_ID_CHARS || cwd === undefined || cwd.length > MAX_PATH_CHARS) return [];
	const at = updatedAt === undefined ? Number.NaN : Date.parse(updatedAt);
	return [
		{
			...{ sessionId, cwd, title: cutText(wordOf(session.title)?.replace(/\s+/g, " ") ?? "", MAX_TITLE_CHARS) },
			...(Number.isNaN(at) ? {} : { updatedAt: new Date(at).toISOString() }),
		},
	];
}
