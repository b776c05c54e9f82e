import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { createScriptedRuntime, type ScriptedRuntime } from "../../../../../test/support/scripted-runtime.ts";
import { conversationId } from "../kernel/ids.ts";

let bed: CoreBed;
let other: ScriptedRuntime;
const folder = "/home/me/shop";
beforeEach(async () => {
	other = createScriptedRuntime();
	bed = await createCoreBed({}, { path: ":memory:" }, { other });
	other.listed = [
		{ sessionId: "s-1", title: "Mend the clock", cwd: folder, updatedAt: "2026-01-02T03:04:00.000Z" },
		{ sessionId: "s-gone", title: "", cwd: "/missing" },
		{ sessionId: "s-2", title: "", cwd: folder },
	];
});
afterEach(() => bed.close());

const list = async () => {
	const ids: string[] = [];
	for (let cursor: string | undefined, page = 0; page < 5; page += 1) {
		const { sessions, nextCursor } = await bed.conversations.agentSessions("other", cursor);
		ids.push(...sessions.map(({ sessionId }) => sessionId));
		if (nextCursor === undefined) return ids;
		cursor = nextCursor;
	}
	return ids;
};

test("[AG271] a listed session is gone on with: its id, directory and title are the conversation's, and its first turn says what is not shown", async () => {
	expect(await list()).toEqual(["s-1", "s-2"]);
	const created = await bed.conversations.create({ agent: "other", sessionId: "s-1" });
	expect(created).toMatchObject({ agent: "other", sdkSessionId: "s-1", title: "Mend the clock", cwd: folder });
	expect(other.opened).toMatchObject([{ previous: "s-1", cwd: folder }]);
	const id = conversationId(created.id);
	for (const expected of [[{ code: "session-continued", params: { name: "other" } }], undefined]) {
		bed.conversations.prompt({ conversationId: id, prompt: "Go on", origin: "web" });
		(await other.nextTurn()).end();
		await bed.clock.advance(100);
		const answer = bed.conversations.messages(id, { limit: 10 }).messages.findLast(({ role }) => role === "assistant");
		expect(answer?.role === "assistant" ? answer.metadata.notices : "none").toEqual(
			expected === undefined ? undefined : [expect.objectContaining(expected[0])],
		);
	}
	expect(await list()).toEqual(["s-2"]);
});

test("[AG271] one that another conversation has, that nobody knows, or that cannot be resumed is refused, and nothing is left", async () => {
	await bed.conversations.create({ agent: "other", sessionId: "s-1" });
	const refused = (sessionId: string) =>
		bed.conversations.create({ agent: "other", sessionId }).catch(({ code }: { code: string }) => code);
	expect(await refused("s-1")).toBe("session-taken");
	expect(await refused("s-unknown")).toBe("session-not-found");
	expect(await refused("s-gone")).toBe("cwd-missing");
	other.loseNextHistory();
	expect(await refused("s-2")).toBe("session-not-found");
	expect(bed.conversations.list().conversations).toHaveLength(1);
	const both = await Promise.all([refused("s-2"), refused("s-2")]);
	expect(both.filter((one) => one === "session-taken")).toHaveLength(1);
});
