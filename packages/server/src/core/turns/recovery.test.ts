import { emptyState, foldConversation, fromSnapshot } from "@rightseat/protocol/fold/conversation";
import { isLogged, type ServerFrame } from "@rightseat/protocol/frames/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { RETRY_MS } from "../active/storage-retry.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, execId as toExecId } from "../kernel/ids.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed({ maxTurns: 1 });
	id = await bed.begin();
});
afterEach(() => bed.close());

const FULL = expect.objectContaining({ code: "storage-read-only" });

/** From now on the disk takes nothing, until the result is called. */
function fillDisk(code: "storage-read-only" | "storage-busy" = "storage-read-only"): () => void {
	const { transaction } = bed.store;
	bed.store.transaction = () => {
		throw new AppError(code, "The disk takes nothing.");
	};
	return () => {
		bed.store.transaction = transaction;
	};
}

/** An answer and a command are under way, and a question waits, when the server dies on a disk that then takes nothing. */
async function crashOnFullDisk(
	code?: "storage-read-only" | "storage-busy",
): Promise<{ free: () => void; execId: string; lastSeq: number }> {
	const { execId } = bed.conversations.exec({ conversationId: id, command: "make", origin: "web" });
	bed.shell.commands[0]?.output("compiling\n");
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	turn.text("half an answer");
	void turn.options.ask({ question: "Which one?", allowFreeform: true }, turn.signal);
	await bed.clock.advance(100);
	const { headSeq } = bed.conversations.get(id);
	const free = fillDisk(code);
	bed = bed.afterCrash();
	return { free, execId, lastSeq: headSeq };
}
/** What a reader shows that took these frames. */
function shownBy(frames: readonly ServerFrame[]) {
	let state = emptyState();
	for (const frame of frames) {
		if (frame.type === "copilot:snapshot") state = fromSnapshot(frame.data);
		else if (isLogged(frame)) state = foldConversation(state, frame);
	}
	return state;
}

test("[EV310] a server that starts on a full disk shows what a crash cut off as it stands, still open, and asks nobody for what is gone", async () => {
	const { execId, lastSeq, free } = await crashOnFullDisk();
	const watcher = bed.watch(id);
	expect(watcher.of("copilot:stream-status")).toMatchObject([{ status: "streaming", turn: { messageId: expect.any(String) } }]);
	const shown = shownBy(watcher.frames);
	expect(shown.turn?.parts).toMatchObject([{ kind: "text", content: "half an answer" }]);
	expect(shown.commands).toMatchObject([{ execId, command: "make", output: "compiling\n" }]);
	expect(shown.questions).toEqual([]);
	expect(bed.conversations.get(id).status).toBe("streaming");
	expect(bed.conversations.inbox.list()).toEqual([]);
	// One that still shows the question is told how things stand now.
	const epoch = bed.store.conversations.find(id)?.epoch;
	expect(shownBy(bed.watch(id, { epoch, lastSeq }).frames)).toEqual(shown);
	expect(bed.conversations.active()).toEqual([]);
	expect(bed.runtime.opened).toEqual([]);
	free();
});

test.each(["storage-read-only", "storage-busy"] as const)(
	"[EV311] what a crash left open is stored once, by itself, when a disk that said %s takes it, and who watched ends with what is stored",
	async (code) => {
		const { free, execId } = await crashOnFullDisk(code);
		const watcher = bed.watch(id);
		const told: string[] = [];
		bed.conversations.onChange((change) => void (change.kind === "updated" && told.push(change.conversation.status)));
		await bed.clock.advance(10 * RETRY_MS);
		expect(watcher.of("copilot:idle")).toEqual([]);
		free();
		await bed.clock.advance(10 * RETRY_MS);
		expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "interrupted" }]);
		expect(watcher.of("copilot:user_input_resolved")).toMatchObject([{ outcome: "aborted" }]);
		expect(watcher.of("bash:done")).toMatchObject([{ execId, exitCode: -1 }]);
		const { jobs: _, error: __, ...shown } = shownBy(watcher.frames);
		expect(shown).toMatchObject({ turn: undefined, commands: [], status: "error" });
		expect(shownBy(bed.watch(id).frames)).toMatchObject(JSON.parse(JSON.stringify(shown)));
		expect(shown.messages).toMatchObject([
			{ content: "Go" },
			{ content: "half an answer", metadata: { outcome: "interrupted" } },
			{ content: expect.stringContaining("compiling\n[lost") },
		]);
		expect(told.at(-1)).toBe("error");
		expect(bed.conversations.inbox.list()).toMatchObject([{ kind: "interrupted", conversationId: id }]);
		expect(bed.runtime.opened).toEqual([]);
		expect(bed.shell.commands).toEqual([]);
		const { headSeq } = bed.conversations.get(id);
		bed = bed.afterCrash();
		expect(bed.conversations.get(id).headSeq).toBe(headSeq);
	},
);

test("[EV311] a second crash while the disk refuses changes nothing", async () => {
	const { free } = await crashOnFullDisk();
	await bed.clock.advance(3 * RETRY_MS);
	bed = bed.afterCrash();
	const watcher = bed.watch(id);
	free();
	await bed.clock.advance(2 * RETRY_MS);
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "interrupted" }]);
	expect(shownBy(watcher.frames).messages).toHaveLength(3);
});

test("[EV312] what is new in a conversation comes after what a crash left open there, and is refused while that cannot be stored", async () => {
	const { free, execId } = await crashOnFullDisk();
	const watcher = bed.watch(id);
	const prompt = () => bed.conversations.prompt({ conversationId: id, prompt: "Next", origin: "web" });
	expect(prompt).toThrow(FULL);
	expect(() => bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" })).toThrow(FULL);
	expect(() => bed.conversations.abort(id)).toThrow(FULL);
	expect(() => bed.conversations.killExec(toExecId(execId))).toThrow(FULL);
	free();
	expect(prompt().delivery).toBe("started");
	const turn = await bed.runtime.nextTurn();
	expect(turn.input.prompt).toContain("compiling");
	turn.end();
	await bed.clock.advance(5 * RETRY_MS);
	expect(watcher.of("copilot:idle").map(({ outcome }) => outcome)).toEqual(["interrupted", "completed"]);
	expect(shownBy(watcher.frames)).toMatchObject({ turn: undefined, commands: [], status: "completed" });
});

test("[EV312] a command finds what a crash left open stored, and a stop ends it", async () => {
	const { free } = await crashOnFullDisk();
	free();
	bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" });
	expect(bed.conversations.get(id).status).toBe("error");
	expect(bed.store.commands.running()).toMatchObject([{ command: "ls" }]);
	expect(bed.store.turns.open()).toEqual([]);
	expect(bed.conversations.abort(id)).toBe(false);
});

test("[EV312] a turn that a crash left open takes no slot, and holds up neither a deletion nor a stop of the server", async () => {
	const { free } = await crashOnFullDisk();
	free();
	const other = await bed.begin();
	bed.conversations.prompt({ conversationId: other, prompt: "Other", origin: "web" });
	expect(bed.conversations.active()).toEqual([other]);
	(await bed.runtime.nextTurn()).end();
	await bed.conversations.delete(id);
	await bed.clock.advance(5 * RETRY_MS);
	expect(bed.conversations.find(id)).toBeUndefined();
	expect(bed.store.turns.open()).toEqual([]);
});

test("[EV313] what a crash left open and a fault keeps from being stored whole is stored with its text, and is over for everybody", async () => {
	const { free } = await crashOnFullDisk();
	const watcher = bed.watch(id);
	const { addMessage } = bed.store.messages;
	bed.store.messages.addMessage = (conversation, message) => {
		if (message.role === "assistant" && JSON.stringify(message.metadata).includes("Which one?")) throw new Error("a fault");
		return addMessage(conversation, message);
	};
	free();
	await bed.clock.advance(10 * RETRY_MS);
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "interrupted" }]);
	expect(bed.store.turns.open()).toEqual([]);
	expect(bed.store.commands.running()).toEqual([]);
	expect(bed.conversations.messages(id, { limit: 5 }).messages.map(({ content }) => content)).toContain("half an answer");
});
