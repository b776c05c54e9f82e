import { expect, test } from "vitest";
import { readAgentInfo } from "./agent-info.ts";
import { listSessions, MAX_LISTED_SESSIONS } from "./list-sessions.ts";

/** What is read of this answer to `session/list`. */
function read(answer: unknown) {
	const info = readAgentInfo({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {} } } }, []);
	if (typeof info === "string") throw new Error(info);
	const peer = {
		...{ send: () => undefined, notify: () => undefined, hold: () => undefined, close: () => undefined },
		...{ isHeld: false, heardAt: 0, unsent: 0, noise: 0 },
		settled: async () => undefined,
		request: async () => answer,
	};
	return listSessions({ info, peer }, { name: "A", limits: { openMs: 1 }, cursor: undefined });
}

test("[AC333] of a page a bounded number is taken, titles are cut, and nonsense is left out", async () => {
	const session = { sessionId: "s", cwd: "/x", title: "t".repeat(1_000), updatedAt: "yesterday" };
	const { sessions } = await read({ sessions: Array.from({ length: MAX_LISTED_SESSIONS + 5 }, () => session) });
	expect(sessions).toHaveLength(MAX_LISTED_SESSIONS);
	expect(sessions[0]?.title.length).toBeLessThanOrEqual(200);
	expect(sessions[0]).not.toHaveProperty("updatedAt");
	const odd = [null, 7, {}, { sessionId: "s" }, { sessionId: "", cwd: "/x" }, { sessionId: "s".repeat(9_999), cwd: "/x" }];
	expect(await read({ sessions: odd, nextCursor: "c".repeat(9_999) })).toEqual({ sessions: [] });
	for (const answer of [null, 7, { sessions: "x" }]) expect(await read(answer)).toEqual({ sessions: [] });
});
