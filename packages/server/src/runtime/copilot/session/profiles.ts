import type { CopilotClient } from "@github/copilot-sdk";
import { createSessionTrust, type SessionTrustDeps } from "./session-trust.ts";

/** The agents of a trusted folder, by the names that a conversation there can be set to; looking starts nothing. */
export async function listProfiles(
	cwd: string,
	deps: Omit<SessionTrustDeps, "cwd"> & { getClient(): Promise<Pick<CopilotClient, "rpc">> },
): Promise<string[]> {
	if (!(await createSessionTrust({ cwd, ...deps }).decide())) return [];
	const { rpc } = await deps.getClient();
	const { agents } = await rpc.agents.discover({ projectPaths: [cwd] });
	return agents.filter(({ source, userInvocable }) => source === "project" && userInvocable !== false).map(({ name }) => name);
}
