import { expect, test } from "vitest";
import type { Peer } from "../peer/peer.ts";
import { type AgentInfo, INITIALIZE, readAgentInfo } from "./agent-info.ts";
import { forkAgentSession } from "./fork-session.ts";

const ABLE = { resume: {}, close: {}, fork: {} };
function infoOf(sessionCapabilities: object): AgentInfo {
	const info = readAgentInfo({ protocolVersion: INITIALIZE.protocolVersion, agentCapabilities: { sessionCapabilities } }, ["agent"]);
	if (typeof info === "string") throw new Error(info);
	return info;
}
/** An agent that notes what it is asked and gives this id. */
function agent(sessionCapabilities: object, sessionId: unknown) {
	const asked: [string, unknown][] = [];
	const request: Peer["request"] = async (method, params) => {
		asked.push([method, params]);
		return method === "session/fork" ? { sessionId } : {};
	};
	const fork = () =>
		forkAgentSession(
			{ info: infoOf(sessionCapabilities), peer: { request } },
			{ name: "Agent", limits: { openMs: 1_000, optionMs: 1_000 }, sessionId: "s1", cwd: "/x" },
		);
	return { asked, fork };
}

test("[FK23] an agent over ACP that can forks its own session, and closes it so that one process has it", async () => {
	const { asked, fork } = agent(ABLE, "s2");
	expect(await fork()).toBe("s2");
	expect(asked).toEqual([
		["session/fork", { sessionId: "s1", cwd: "/x", mcpServers: [] }],
		["session/close", { sessionId: "s2" }],
	]);
});

test("[FK23] one that cannot fork, close or go on with it is not asked, and the source is never taken for the fork", async () => {
	for (const lacking of ["resume", "close", "fork"]) {
		const { asked, fork } = agent({ ...ABLE, [lacking]: null }, "s2");
		expect(await fork()).toBeUndefined();
		expect(asked).toEqual([]);
	}
	for (const given of ["s1", "", 7, undefined]) expect(await agent(ABLE, given).fork()).toBeUndefined();
});
