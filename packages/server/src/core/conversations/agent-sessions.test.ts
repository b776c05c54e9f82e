import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { createScriptedRuntime, type ScriptedRuntime } from "../../../../../test/support/scripted-runtime.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, conversationId, messageId } from "../kernel/ids.ts";
import { MAX_SESSION_PAGES } from "./agent-sessions.ts";

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

test("[AC420] one session is looked for in a bounded number of pages, however many the agent has", async () => {
	other.listed = Array.from({ length: MAX_SESSION_PAGES + 5 }, (_, at) => ({ sessionId: `p-${at}`, title: "", cwd: folder }));
	const asked = vi.spyOn(other, "listSessions");
	const create = (sessionId: string) => bed.conversations.create({ agent: "other", sessionId });
	expect(await create(`p-${MAX_SESSION_PAGES - 1}`)).toMatchObject({ sdkSessionId: `p-${MAX_SESSION_PAGES - 1}` });
	asked.mockClear();
	await expect(create(`p-${MAX_SESSION_PAGES}`)).rejects.toMatchObject({ code: "session-not-found" });
	expect(asked).toHaveBeenCalledTimes(MAX_SESSION_PAGES);
	asked.mockClear();
	// A list that goes in a circle.
	asked.mockImplementation(async ({ cursor }) => ({ sessions: [], nextCursor: cursor === "a" ? "b" : "a" }));
	await expect(create("p-0")).rejects.toMatchObject({ code: "session-not-found" });
	expect(asked).toHaveBeenCalledTimes(MAX_SESSION_PAGES);
});

/** Runs one turn in this core and gives the codes of what its answer says besides. */
async function noticesOfTurn(core: CoreBed, id: ConversationId, turn: () => Promise<unknown>): Promise<string[]> {
	core.conversations.prompt({ conversationId: id, prompt: "Go on", origin: "web" });
	await turn();
	await core.clock.advance(100);
	const answer = core.conversations.messages(id, { limit: 20 }).messages.findLast(({ role }) => role === "assistant");
	return answer?.role === "assistant" ? (answer.metadata.notices ?? []).map(({ code }) => code) : ["no answer"];
}

test("[AG400] a server that is killed before the first turn still says that the past is not shown, and says it once", async () => {
	const id = conversationId((await bed.conversations.create({ agent: "other", sessionId: "s-1" })).id);
	const again = createScriptedRuntime();
	const after = bed.afterCrash({ other: again });
	const answer = async () => (await again.nextTurn()).end();
	expect(await noticesOfTurn(after, id, answer)).toEqual(["session-continued"]);
	expect(await noticesOfTurn(after, id, answer)).toEqual([]);
	const third = createScriptedRuntime();
	expect(await noticesOfTurn(after.afterCrash({ other: third }), id, async () => (await third.nextTurn()).end())).toEqual([]);
});

test("[AG400] a turn that is cut off by a crash has said it when its answer is stored", async () => {
	const id = conversationId((await bed.conversations.create({ agent: "other", sessionId: "s-1" })).id);
	bed.conversations.prompt({ conversationId: id, prompt: "Go on", origin: "web" });
	(await other.nextTurn()).emit({ kind: "text-delta", messageId: "m", content: "Half" });
	await bed.clock.advance(100);
	const again = createScriptedRuntime();
	const after = bed.afterCrash({ other: again });
	const [cut] = after.conversations.messages(id, { limit: 20 }).messages.filter(({ role }) => role === "assistant");
	expect(cut).toMatchObject({ metadata: { outcome: "interrupted", notices: [{ code: "session-continued" }] } });
	expect(await noticesOfTurn(after, id, async () => (await again.nextTurn()).end())).toEqual([]);
});

test("[AG400] a turn that fails before its session is open leaves it to the next one", async () => {
	const id = conversationId((await bed.conversations.create({ agent: "other", sessionId: "s-1" })).id);
	const again = createScriptedRuntime();
	again.failNextOpen(new AppError("agent-start-failed", "It did not start."));
	const after = bed.afterCrash({ other: again });
	expect(await noticesOfTurn(after, id, async () => undefined)).toEqual([]);
	expect(await noticesOfTurn(after, id, async () => (await again.nextTurn()).end())).toEqual(["session-continued"]);
});

test("[CS7] a session that has to be brought here comes with what was said, cut where it was cut; one that cannot be brought leaves nothing", async () => {
	other.takeSession = async () => ({
		messages: [
			{ role: "user", text: "Mend it", at: 1_000, mark: "mark 1" },
			{ role: "assistant", text: "Mended." },
		],
		isCut: false,
	});
	const id = conversationId((await bed.conversations.create({ agent: "other", sessionId: "s-1" })).id);
	const { messages } = bed.conversations.messages(id, { limit: 10 });
	expect(messages.map(({ role, content, createdAt }) => [role, content, createdAt])).toEqual([
		["user", "Mend it", "1970-01-01T00:00:01.000Z"],
		["assistant", "Mended.", expect.any(String)],
	]);
	expect(bed.store.conversations.find(id)).toMatchObject({ isForming: false, isContinued: false, titleFixed: true, sdkSessionId: "s-1" });
	const historyBefore = (message?: { id: string }) => {
		const cut = bed.store.messages.findCut(id, message === undefined ? undefined : messageId(message.id));
		return cut && bed.store.messages.historyBefore(id, cut.historyEnd);
	};
	expect([historyBefore(), historyBefore(messages[0])]).toEqual([{ at: "end" }, { at: "start" }]);

	other.takeSession = async () => {
		expect(bed.conversations.list().conversations.map((each) => each.id)).toEqual([id]);
		throw new AppError("session-failed", "The agent session could not be copied.");
	};
	await expect(bed.conversations.create({ agent: "other", sessionId: "s-2" })).rejects.toMatchObject({ code: "session-failed" });
	expect([bed.conversations.list().conversations.length, bed.store.conversations.forming(), other.deleted]).toEqual([1, [], ["s-2"]]);
});

test("[CS8] a session that nobody can go on with is listed with the reason, and refused", async () => {
	other.listed = [{ sessionId: "s-bad", title: "Bad", cwd: folder, problem: "damaged" }];
	expect(await bed.conversations.agentSessions("other")).toEqual({
		sessions: [],
		unusable: [{ sessionId: "s-bad", title: "Bad", cwd: folder, problem: "damaged" }],
	});
	await expect(bed.conversations.create({ agent: "other", sessionId: "s-bad" })).rejects.toMatchObject({ code: "session-not-found" });
	other.listed = [{ sessionId: "s-gone", title: "", cwd: "/missing", isHeld: true }];
	expect(await bed.conversations.agentSessions("other")).toMatchObject({ sessions: [], unusable: [{ problem: "gone", isHeld: true }] });
});

test("[CS9] a conversation is handed over when its agent can and nothing runs: its session is closed before", async () => {
	const refused = (id: ConversationId) => bed.conversations.handOver(id).catch(({ params }: AppError) => params?.reason);
	const id = conversationId((await bed.conversations.create({ agent: "other", sessionId: "s-1" })).id);
	expect(await refused(id)).toBe("not-handed-over");
	other.handOver = async ({ sessionId, cwd }) => ({ sessionId, isCopy: false, command: `${other.closed.includes(sessionId)} ${cwd}` });
	expect(await refused(conversationId((await bed.conversations.create({ agent: "other" })).id))).toBe("nothing-said");
	bed.conversations.prompt({ conversationId: id, prompt: "Go on", origin: "web" });
	const turn = await other.nextTurn();
	expect(await refused(id)).toBe("still-answering");
	turn.end();
	await bed.clock.advance(100);
	expect(await bed.conversations.handOver(id)).toEqual({ sessionId: "s-1", isCopy: false, command: `true ${folder}` });
});
