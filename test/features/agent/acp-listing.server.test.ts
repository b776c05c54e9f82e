import { expect, test } from "vitest";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { findMarked } from "../../../packages/server/src/runtime/marked-processes.ts";
import { markerPrefixOf } from "../../../packages/server/src/runtime/markers.ts";
import { useAcp } from "./acp-harness.ts";
import { runTurn, shownText } from "./runtime-harness.ts";

const start = useAcp();

test("[AC333] the sessions of an agent are listed by a running process, or by one that leaves again, and can be gone on with", async () => {
	const host = start();
	const session = await host.open();
	await runTurn(session, "title Mend the clock\nsay First.");
	const list = () => host.runtime.listSessions?.({ cwd: host.home });
	const listed = { sessions: [{ sessionId: session.sessionId, title: "Mend the clock", cwd: host.home, updatedAt: expect.any(String) }] };
	expect(await list()).toEqual(listed);
	await session.close();
	expect(await list()).toEqual(listed);
	const prefix = markerPrefixOf(host.home);
	expect(await findMarked(systemClock, (marker) => marker.startsWith(prefix))).toEqual([]);
	const again = await host.open({ sessionId: "another", previous: session.sessionId });
	expect([again.opened, shownText(await runTurn(again, "history"))]).toEqual(["resumed", "Remembered: title Mend the clock\nsay First."]);
});

test("[AC333] an agent that keeps no list has none", async () => {
	const host = start(["no-list"]);
	expect(await host.runtime.listSessions?.({ cwd: host.home })).toEqual({ sessions: [] });
});
