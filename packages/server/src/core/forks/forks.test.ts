import { expect, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { MAX_COPIED_BYTES, MAX_COPIED_ROWS } from "../../store/messages/copy-messages.ts";
import { conversationId, messageId } from "../kernel/ids.ts";
import { bedWithForks, idOf, rowOf, say, settled, texts } from "./fork-bed-harness.ts";
import { MAX_FORKING } from "./forks.ts";

test("[FK1] a fork has what was said before the cut, and the source is as it was, but knows of it", async () => {
	const { bed, forked } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	await say(bed, id, "two", "mark 2");
	const before = {
		...bed.conversations.get(id),
		messages: bed.conversations.messages(id, { limit: 100 }),
		events: bed.store.events.after(id, rowOf(bed, id).headSeq, 10),
	};
	const told: string[] = [];
	bed.conversations.onChange((change) => void told.push(`${change.kind} ${"id" in change ? change.id : change.conversation.id}`));
	const cut = idOf(bed, id, "two");
	const fork = await settled(bed, bed.conversations.fork(id, { before: cut }, "api"));
	expect(fork).toMatchObject({
		forkedFrom: { conversationId: id, messageId: cut },
		title: "one (2)",
		agent: "copilot",
		cwd: "/somewhere",
		status: "idle",
		sdkSessionId: fork.id,
	});
	expect(texts(bed, fork.id)).toEqual(["one", "answer to one"]);
	expect(forked).toEqual([
		{ sessionId: id, newSessionId: fork.id, cwd: "/somewhere", cut: { at: "prompt", mark: "mark 2", after: "mark 1" }, isBusy: false },
	]);
	const { forks, ...after } = bed.conversations.get(id);
	expect({
		...after,
		messages: bed.conversations.messages(id, { limit: 100 }),
		events: bed.store.events.after(id, rowOf(bed, id).headSeq, 10),
	}).toEqual(before);
	expect(forks).toBe(1);
	expect(bed.conversations.forks(id).map((found) => found.id)).toEqual([fork.id]);
	expect(told).toEqual([`created ${fork.id}`, `updated ${id}`]);
	await bed.close();
});

test("[FK2] a fork with a prompt goes on at once, and the agent resumes its own history", async () => {
	const { bed, forked } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const asked = bed.conversations.fork(id, { prompt: "two, edited" }, "api");
	const fork = await settled(bed, asked);
	const turn = await bed.runtime.nextTurn();
	expect(turn.input.prompt).toBe("two, edited");
	expect(turn.options.previous).toBe(fork.id);
	expect(forked[0]?.cut).toEqual({ at: "end" });
	turn.end();
	await bed.clock.advance(100);
	expect(texts(bed, fork.id)).toEqual(["one", "answer to one", "two, edited", ""]);
	expect(texts(bed, id)).toEqual(["one", "answer to one"]);
	await bed.close();
});

test("[FK3] an agent that cannot fork its session there is told once what was said, and people that it was", async () => {
	const { bed } = await bedWithForks(() => undefined);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const fork = conversationId((await settled(bed, bed.conversations.fork(id, {}, "api"))).id);
	const watcher = bed.watch(fork);
	bed.conversations.prompt({ conversationId: fork, prompt: "two", origin: "web" });
	const first = await bed.runtime.nextTurn();
	expect(first.options.previous).toBeNull();
	expect(first.input.prompt).toBe(
		"[This conversation goes on from an earlier one, which ended with:]\nPerson: one\n\nYou: answer to one\n[The message of now:]\n\ntwo",
	);
	first.text("yes");
	first.end();
	await bed.clock.advance(100);
	expect(watcher.of("copilot:notice").map(({ code }) => code)).toEqual(["fork-told"]);
	bed.conversations.prompt({ conversationId: fork, prompt: "three", origin: "web" });
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("three");
	await bed.close();
});

test("[FK4] while a turn runs the fork is of what is stored; the prompt without an answer is told, the queue stays behind", async () => {
	const { bed, forked } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	bed.conversations.prompt({ conversationId: id, prompt: "two", origin: "web" });
	const running = await bed.runtime.nextTurn();
	running.text("half an ans");
	bed.conversations.prompt({ conversationId: id, prompt: "queued", origin: "web" });
	await bed.clock.advance(100);
	const fork = await settled(bed, bed.conversations.fork(id, { prompt: "instead" }, "api"));
	expect(forked[0]).toMatchObject({ isBusy: true, cut: { at: "prompt", mark: null, after: "mark 1" } });
	expect(texts(bed, fork.id)).toEqual(["one", "answer to one", "two", "instead"]);
	const turn = await bed.runtime.nextTurn();
	expect(turn.input.prompt).toBe("[Before this message, and not answered yet:]\nPerson: two\n[The message of now:]\n\ninstead");
	running.text("wer");
	running.end();
	await bed.clock.advance(100);
	expect(texts(bed, id)).toContain("half an answer");
	await bed.close();
});

test("[FK5] a fork before everything begins anew, named by its own prompt; a result that no prompt in it carried waits for the next", async () => {
	const { bed, forked } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" });
	bed.shell.commands[0]?.output("a file\n");
	bed.shell.commands[0]?.finish({ exitCode: 0 });
	await bed.clock.advance(100);
	await say(bed, id, "one", "mark 1");
	const fork = await settled(bed, bed.conversations.fork(id, { before: idOf(bed, id, "one"), prompt: "another one" }, "api"));
	expect(forked).toEqual([]);
	const { input } = await bed.runtime.nextTurn();
	expect(input.prompt).toContain("[Bash executed by user]\n$ ls\na file");
	expect(input.prompt.endsWith("another one")).toBe(true);
	expect(bed.conversations.get(conversationId(fork.id)).title).not.toBe("");
	await bed.close();
});

test("[FK6] the same clientMessageId twice is one fork and one run; for another fork it is refused", async () => {
	const { bed } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const request = { prompt: "two", clientMessageId: "c1" };
	const [first, second] = await settled(
		bed,
		Promise.all([bed.conversations.fork(id, request, "api"), bed.conversations.fork(id, request, "api")]),
	);
	const third = await settled(bed, bed.conversations.fork(id, request, "api"));
	expect([second.id, third.id]).toEqual([first.id, first.id]);
	expect(texts(bed, first.id)).toEqual(["one", "answer to one", "two"]);
	await expect(bed.conversations.fork(id, { prompt: "three", clientMessageId: "c1" }, "api")).rejects.toMatchObject({ code: "id-reused" });
	await bed.close();
});

test("[FK7] what cannot be forked is refused, and nothing is left of it", async () => {
	const { bed } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const refused = async (request: Parameters<typeof bed.conversations.fork>[1], code: string) =>
		expect(bed.conversations.fork(id, request, "api")).rejects.toMatchObject({ code });
	await refused({ before: messageId("nobody") }, "message-not-found");
	await refused({ prompt: "  " }, "empty-prompt");
	await refused({ prompt: "x".repeat(200_000) }, "too-large");
	const made = Array.from({ length: MAX_FORKING }, () => bed.conversations.fork(id, {}, "api"));
	await refused({}, "rate-limited");
	await settled(bed, Promise.all(made));
	expect(bed.conversations.list().conversations).toHaveLength(MAX_FORKING + 1);
	await bed.close();
});

test("[FK9] whoever reads a fork from its beginning gets what it began with", async () => {
	const { bed } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const fork = await settled(bed, bed.conversations.fork(id, {}, "api"));
	const watcher = bed.watch(conversationId(fork.id), { epoch: fork.epoch, lastSeq: 0 });
	expect(watcher.of("copilot:snapshot")[0]?.messages.map(({ content }) => content)).toEqual(["one", "answer to one"]);
	await bed.close();
});

test("[FK10] a fork of a fork is cut by the marks that it brought; a history that nobody marked is told", async () => {
	const { bed, forked } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one");
	await say(bed, id, "two");
	await say(bed, id, "three", "mark 3");
	const fork = conversationId((await settled(bed, bed.conversations.fork(id, {}, "api"))).id);
	await settled(bed, bed.conversations.fork(fork, { before: idOf(bed, fork, "three") }, "api"));
	expect(forked.map(({ sessionId, cut }) => ({ sessionId, cut }))).toEqual([
		{ sessionId: id, cut: { at: "end" } },
		{ sessionId: fork, cut: { at: "prompt", mark: "mark 3", after: null } },
	]);
	const told = await settled(bed, bed.conversations.fork(id, { before: idOf(bed, id, "two") }, "api"));
	expect(forked).toHaveLength(2);
	expect(bed.store.conversations.find(conversationId(told.id))?.untoldFrom).toBe(idOf(bed, id, "one"));
	await bed.close();
});

test("[FK11] a long conversation is copied in bounded steps, with its search index", async () => {
	const bed = await createCoreBed();
	const id = await bed.begin();
	const metadata = { origin: "web", delivery: "taken" };
	bed.store.transaction(() => {
		for (let n = 0; n < MAX_COPIED_ROWS + 5; n += 1) bed.store.messages.addMessage(id, { role: "user", content: `word${n}`, metadata });
		bed.store.messages.addMessage(id, { role: "user", content: "x".repeat(MAX_COPIED_BYTES), metadata });
		bed.store.messages.addMessage(id, { role: "user", content: "last", metadata });
	});
	const copied: number[] = [];
	const { copyStep } = bed.store.messages;
	bed.store.messages.copyStep = (step) => {
		const next = copyStep(step);
		copied.push(bed.conversations.messages(step.to, { limit: 1 }).messages.length, next ?? 0);
		return next;
	};
	const fork = await settled(bed, bed.conversations.fork(id, {}, "api"));
	expect(copied).toEqual([1, MAX_COPIED_ROWS, 1, MAX_COPIED_ROWS + 6, 1, 0]);
	expect(texts(bed, fork.id).at(-1)).toBe("last");
	expect((await bed.conversations.search(`word${MAX_COPIED_ROWS + 4}`)).map((found) => found.conversationId).sort()).toEqual(
		[id, fork.id].sort(),
	);
	await bed.close();
});
