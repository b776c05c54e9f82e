import { afterEach, expect, test } from "vitest";
import { createFleetBed, type FleetBed, type FleetHostBed } from "../../../../../test/support/fleet-bed.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Subscriber } from "../log/stream-hub.ts";

let bed: FleetBed;
afterEach(() => bed.close());

async function two(options: Parameters<typeof createFleetBed>[1] = {}) {
	bed = await createFleetBed(2, options);
	const [desk, laptop] = bed.hosts;
	if (desk === undefined || laptop === undefined) throw new Error("There are not two hosts.");
	return { desk, laptop, clock: bed.clock };
}

/** What a page that watches sees: frames, and the place in the log that it counts by. */
function look(host: FleetHostBed, id: ConversationId, position: { epoch?: string; lastSeq?: number } = {}) {
	const frames: { type: string; data: Record<string, unknown> }[] = [];
	let at: { epoch: unknown; seq: unknown } | undefined;
	const subscriber: Subscriber = {
		event(text) {
			const frame = JSON.parse(text);
			frames.push(frame);
			const { epoch, seq, conversationId } = frame.data;
			expect({ epoch, seq, conversationId }).toEqual({ epoch: at?.epoch, seq: Number(at?.seq) + 1, conversationId: id });
			at = { epoch, seq };
		},
		reply(frame) {
			frames.push(frame);
			const { epoch, headSeq, mode } = frame.type === "copilot:stream-status" ? frame.data : {};
			if (mode === "snapshot") at = { epoch, seq: headSeq };
			if (mode === "delta") at = { epoch, seq: position.lastSeq };
		},
	};
	const subscription = host.everywhere.conversations.subscribe(id, position, subscriber);
	return { frames, types: () => frames.map(({ type }) => type), at: () => at, close: subscription.close };
}

/** Lets promises of the other host run: what is asked over the bus takes a few ticks and no time. */
async function ask<T>(work: Promise<T> | T): Promise<T> {
	const done = Promise.resolve(work);
	let isOver = false;
	done.finally(() => (isOver = true)).catch(() => undefined);
	for (let tick = 0; tick < 2_000 && !isOver; tick++) await bed.clock.advance(20);
	return done;
}

test("[FL210] the list has the conversations of all hosts in one order, each with its host, page by page", async () => {
	const { desk, laptop, clock } = await two();
	const own = await desk.core.begin();
	await clock.advance(1_000);
	const other = await laptop.core.begin();
	await clock.advance(6_000);
	const { conversations } = desk.everywhere;
	const remote = laptop.remote(other);
	expect(conversations.list().conversations.map(({ id, host }) => [id, host?.name])).toEqual([
		[remote, "host 2"],
		[own, "host 1"],
	]);
	const first = conversations.list({ limit: 1 });
	expect(first.conversations.map(({ id }) => id)).toEqual([remote]);
	const second = conversations.list({ limit: 1, cursor: first.nextCursor ?? "" });
	expect([second.conversations.map(({ id }) => id), second.nextCursor]).toEqual([[own], undefined]);
	expect(conversations.get(remote)).toMatchObject({ id: remote, epoch: laptop.core.conversations.get(other).epoch });
	expect(conversations.list({ archived: true }).conversations).toEqual([]);
	expect(() => conversations.list({ cursor: "no" })).toThrow(expect.objectContaining({ code: "bad-request" }));
});

test("[FL210] that a conversation of another host is there, looks different or is gone is told once", async () => {
	const { desk, laptop, clock } = await two();
	const told: string[] = [];
	desk.everywhere.conversations.onChange((change) =>
		told.push(`${change.kind} ${change.kind === "deleted" ? change.id : `${change.conversation.id} ${change.conversation.title}`}`),
	);
	const id = await laptop.core.begin();
	await clock.advance(12_000);
	await laptop.core.conversations.update(id, { title: "New" });
	await clock.advance(12_000);
	await laptop.core.conversations.delete(id);
	await clock.advance(12_000);
	const remote = laptop.remote(id);
	expect(told).toEqual([`created ${remote} `, `updated ${remote} New`, `deleted ${remote}`]);
});

test("[FL211] a prompt to another host is shown word by word with its owner's epoch and seq, and stopped by its turn", async () => {
	const { desk, laptop, clock } = await two();
	const id = await laptop.core.begin();
	await clock.advance(6_000);
	const remote = laptop.remote(id);
	const page = look(desk, remote);
	await clock.advance(500);
	expect(page.types()).toEqual(["copilot:stream-status", "copilot:snapshot"]);
	const receipt = await ask(
		desk.everywhere.conversations.prompt({ conversationId: remote, prompt: "hello", clientMessageId: "m1", origin: "web", from: "::1" }),
	);
	expect(receipt).toMatchObject({ duplicate: false, delivery: "started" });
	const turn = await laptop.core.runtime.nextTurn();
	turn.text("hi there");
	await clock.advance(1_000);
	expect(page.frames.flatMap(({ type, data }) => (type === "copilot:delta" ? [data.content] : [])).join("")).toBe("hi there");
	const { epoch, headSeq } = laptop.core.conversations.get(id);
	expect(page.at()).toEqual({ epoch, seq: headSeq });
	expect(await ask(desk.everywhere.conversations.abort(remote))).toBe(true);
	await clock.advance(6_000);
	expect(laptop.core.conversations.active()).toEqual([]);
	expect(page.types().at(-1)).toBe("copilot:idle");
	expect(await ask(desk.everywhere.conversations.abort(remote))).toBe(false);
	expect(laptop.audited.map(({ source, detail }) => [source, detail])).toContainEqual(["host 1 ::1 (web)", `copilot:send in ${id}: done`]);
	const again = await ask(
		desk.everywhere.conversations.prompt({ conversationId: remote, prompt: "hello", clientMessageId: "m1", origin: "web" }),
	);
	expect(again).toEqual({ ...receipt, duplicate: true });
});

test("[FL212] questions, permissions, commands, the queue and jobs of another host work as on one's own, and the host decides", async () => {
	const { desk, laptop, clock } = await two();
	const id = await laptop.core.begin();
	await clock.advance(6_000);
	const [remote, { conversations, jobs }] = [laptop.remote(id), desk.everywhere];
	await ask(conversations.prompt({ conversationId: remote, prompt: "one", origin: "web" }));
	await ask(conversations.prompt({ conversationId: remote, prompt: "two", origin: "web" }));
	await ask(conversations.prompt({ conversationId: remote, prompt: "three", origin: "web" }));
	const [two_, three] = await ask(conversations.queue(remote));
	if (two_ === undefined || three === undefined) throw new Error("Nothing is queued.");
	const { messageId } = await import("../kernel/ids.ts");
	await ask(conversations.moveQueued(remote, messageId(three.messageId), 0));
	await ask(conversations.editQueued(remote, messageId(three.messageId), "3"));
	await ask(conversations.dropQueued(remote, messageId(two_.messageId)));
	expect(laptop.core.conversations.queue(id)).toMatchObject([{ messageId: three.messageId, content: "3" }]);
	const exec = await ask(conversations.exec({ conversationId: remote, command: "ls", clientMessageId: "x1", origin: "web" }));
	expect(await ask(conversations.exec({ conversationId: remote, command: "ls", clientMessageId: "x1", origin: "web" }))).toEqual({
		...exec,
		duplicate: true,
	});
	expect(laptop.core.shell.commands.map(({ request }) => request.command)).toEqual(["ls"]);
	expect(await ask(conversations.killExec(exec.execId, remote))).toBe(true);
	expect(laptop.core.shell.commands[0]?.killed).toBe(true);
	await clock.advance(1_000);
	expect(await ask(conversations.killExec(exec.execId, remote))).toBe(false);
	expect(await ask(conversations.pendingBashContext(remote))).toMatchObject([{ command: "ls" }]);
	const answered = laptop.core.conversations.pending(id);
	expect([answered.questions, answered.permissions, await ask(conversations.pending(remote))]).toEqual([
		[],
		[],
		{ questions: [], permissions: [], plans: [], budgets: [], forms: [] },
	]);
	await expect(ask(conversations.answer({ conversationId: remote, requestId: "r", answer: "x", by: "web" }))).rejects.toMatchObject({
		code: "request-not-found",
	});
	await expect(ask(conversations.decide({ conversationId: remote, requestId: "r", decision: "reject", by: "web" }))).rejects.toMatchObject({
		code: "request-not-found",
	});
	expect(await ask(Promise.resolve(jobs.jobs(remote)))).toEqual([]);
	await expect(ask(jobs.killJob(remote, "b"))).rejects.toMatchObject({ code: "exec-not-found" });
	await ask(conversations.restartShell(remote));
});

test("[FL213] whatever the bus loses, doubles and delays, each prompt and command from another host runs once, and its reader sees its owner's log", async () => {
	let seed = 7;
	const random = () => {
		seed = (seed * 16_807) % 2_147_483_647;
		return seed / 2_147_483_647;
	};
	const fate = () =>
		random() < 0.2
			? ({ kind: "lost" } as const)
			: ({ kind: "delivered", times: random() < 0.2 ? 2 : 1, delayMs: Math.floor(random() * 300) } as const);
	const { desk, laptop, clock } = await two({ fate });
	const id = await laptop.core.begin();
	await clock.advance(20_000);
	const remote = laptop.remote(id);
	const page = look(desk, remote);
	const sent = Array.from({ length: 12 }, (_, index) => `text ${index}`);
	for (const [index, prompt] of sent.entries()) {
		await ask(desk.everywhere.conversations.prompt({ conversationId: remote, prompt, clientMessageId: `m${index}`, origin: "web" }));
		if (index % 4 === 0)
			await ask(
				desk.everywhere.conversations.exec({ conversationId: remote, command: `ls ${index}`, clientMessageId: `x${index}`, origin: "web" }),
			);
		const turn = await laptop.core.runtime.nextTurn();
		for (const word of ["a ", "b ", "c"]) {
			turn.text(word);
			await clock.advance(50);
		}
		turn.end();
		await clock.advance(200);
	}
	await clock.advance(60_000);
	const { messages } = laptop.core.conversations.messages(id, { limit: 100 });
	expect(messages.flatMap(({ role, content, metadata }) => (role === "user" && !("bash" in metadata) ? [content] : []))).toEqual(sent);
	expect(laptop.core.shell.commands.map(({ request }) => request.command)).toEqual(["ls 0", "ls 4", "ls 8"]);
	const { epoch, headSeq } = laptop.core.conversations.get(id);
	expect(page.at()).toEqual({ epoch, seq: headSeq });
	expect(desk.everywhere.outbox.list()).toEqual([]);
});

test("[FL214] a prompt for a host that is away waits in the outbox, goes out once when it is back, and everything else is refused", async () => {
	const { desk, laptop, clock } = await two();
	const id = await laptop.core.begin();
	await clock.advance(6_000);
	const [remote, { conversations, outbox }] = [laptop.remote(id), desk.everywhere];
	laptop.setOffline(true);
	await clock.advance(20_000);
	expect(desk.everywhere.hosts().map(({ state }) => state)).toEqual(["online", "offline"]);
	const prompt = { conversationId: remote, prompt: "later", clientMessageId: "m1", origin: "web" } as const;
	expect(await ask(conversations.prompt(prompt))).toEqual({ messageId: "m1", duplicate: false, delivery: "outbox" });
	expect(await ask(conversations.prompt(prompt))).toMatchObject({ delivery: "outbox" });
	await ask(conversations.prompt({ ...prompt, prompt: "never", clientMessageId: "m2" }));
	expect(outbox.list().map(({ prompt: text, state }) => [text, state.kind])).toEqual([
		["later", "waiting"],
		["never", "waiting"],
	]);
	expect(outbox.drop("m2")).toBe(true);
	await expect(ask(conversations.exec({ conversationId: remote, command: "ls", origin: "web" }))).rejects.toMatchObject({
		code: "host-offline",
	});
	await expect(ask(conversations.prompt({ ...prompt, mode: "immediate", clientMessageId: "m3" }))).rejects.toMatchObject({
		code: "host-offline",
	});
	laptop.setOffline(false);
	await clock.advance(10_000);
	expect(outbox.list()).toEqual([]);
	const { messages } = laptop.core.conversations.messages(id, { limit: 10 });
	expect(messages.map(({ content }) => content)).toEqual(["later"]);
});

test("[FL215] what its host refuses is told to who sent it and is not kept; in the outbox it stays until a person decides", async () => {
	const { desk, laptop, clock } = await two();
	const id = await laptop.core.begin();
	await clock.advance(6_000);
	const [remote, { conversations, outbox }] = [laptop.remote(id), desk.everywhere];
	await expect(
		ask(conversations.prompt({ conversationId: remote, prompt: " ", clientMessageId: "m0", origin: "web" })),
	).rejects.toMatchObject({ code: "empty-prompt" });
	expect(outbox.list()).toEqual([]);
	laptop.setOffline(true);
	await clock.advance(20_000);
	await ask(conversations.prompt({ conversationId: remote, prompt: " ", clientMessageId: "m1", origin: "web" }));
	laptop.setOffline(false);
	await clock.advance(10_000);
	expect(outbox.list()).toMatchObject([{ clientMessageId: "m1", state: { kind: "refused", code: "empty-prompt" } }]);
	outbox.edit("m1", "words");
	await clock.advance(2_000);
	expect(outbox.list()).toEqual([]);
	expect(laptop.core.conversations.messages(id, { limit: 10 }).messages.map(({ content }) => content)).toEqual(["words"]);
});

test("[FL216] a second reader is served from here, one that comes back gets what it missed, and one that follows gets what comes", async () => {
	const { desk, laptop, clock } = await two();
	const id = await laptop.core.begin();
	await clock.advance(6_000);
	const remote = laptop.remote(id);
	const first = look(desk, remote);
	await clock.advance(500);
	laptop.core.conversations.prompt({ conversationId: id, prompt: "hello", origin: "web" });
	const turn = await laptop.core.runtime.nextTurn();
	turn.text("one");
	await clock.advance(500);
	const asked = laptop.ran.length;
	const second = look(desk, remote);
	expect(second.types().slice(0, 2)).toEqual(["copilot:stream-status", "copilot:snapshot"]);
	expect(second.at()).toEqual(first.at());
	const followed: string[] = [];
	const following = desk.everywhere.conversations.follow(remote, {
		event: (frame) => void followed.push(JSON.parse(frame).type),
		reply: () => followed.push("reply"),
	});
	const { epoch, seq } = first.at() ?? {};
	first.close();
	turn.text("two");
	await clock.advance(500);
	const back = look(desk, remote, { epoch: String(epoch), lastSeq: Number(seq) });
	expect(back.types()).toEqual(["copilot:stream-status", "copilot:delta"]);
	expect(back.frames[0]).toMatchObject({ data: { mode: "delta", status: "streaming" } });
	expect([back.at(), followed]).toEqual([second.at(), ["copilot:delta"]]);
	expect(laptop.ran.length).toBe(asked);
	for (const each of [second, back, following]) each.close();
	await clock.advance(31_000);
	turn.end();
	await clock.advance(500);
	expect(laptop.ran.length).toBe(asked);
});

test("[FL217] search asks every host that is there, and names those that are not", async () => {
	const { desk, laptop, clock } = await two();
	const [own, other] = [await desk.core.begin(), await laptop.core.begin()];
	desk.core.conversations.prompt({ conversationId: own, prompt: "a pelican here", origin: "web" });
	await clock.advance(1_000);
	laptop.core.conversations.prompt({ conversationId: other, prompt: "a pelican there", origin: "web" });
	await clock.advance(6_000);
	const found = await ask(desk.everywhere.search("pelican"));
	expect(found.results.map(({ conversationId }) => conversationId)).toEqual([laptop.remote(other), own]);
	expect(found.missing).toEqual([]);
	laptop.setOffline(true);
	await clock.advance(20_000);
	const alone = await ask(desk.everywhere.search("pelican"));
	expect([alone.results.map(({ conversationId }) => conversationId), alone.missing.map(({ name }) => name)]).toEqual([[own], ["host 2"]]);
});
