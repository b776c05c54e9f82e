import type { AcpLimits } from "../acp-definition.ts";
import { acpErrors } from "../acp-errors.ts";
import { fieldsOf, wordOf } from "../fields.ts";
import type { Peer } from "../peer/peer.ts";
import type { AgentInfo } from "./agent-info.ts";
import { MAX_SESSION_ID_CHARS } from "./open-session.ts";

/**
 * The agent's own fork of a session, whole: the protocol knows no place to cut at. It is closed again, because the conversation that goes on with it has a
 * process of its own, and two on one session answer each other. Undefined: the agent cannot. Rejects with an AppError.
 */
export async function forkAgentSession(
	{ info, peer }: { info: AgentInfo; peer: Pick<Peer, "request"> },
	{ name, limits, sessionId, cwd }: { name: string; limits: Pick<AcpLimits, "openMs" | "optionMs">; sessionId: string; cwd: string },
): Promise<string | undefined> {
	if (!info.canFork || !info.canClose || !(info.canResume || info.canLoad)) return undefined;
	const refused = ({ message }: { message: string }) => acpErrors.said(name, message);
	const late = () => acpErrors.startFailed(name, "it did not fork the session in time");
	const answer = await peer.request("session/fork", { sessionId, cwd, mcpServers: [] }, { ms: limits.openMs, late, refused });
	const forked = wordOf(fieldsOf(answer).sessionId);
	if (forked === undefined || forked === sessionId || forked.length > MAX_SESSION_ID_CHARS) return undefined;
	await peer.request("session/close", { sessionId: forked }, { ms: limits.optionMs, late, refused });
	return forked;
}
