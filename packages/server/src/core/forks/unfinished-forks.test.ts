import { expect, test, vi } from "vitest";
import { createGate } from "../../../../../test/support/scripted-model-steps.ts";
import { AppError } from "../kernel/errors.ts";
import { conversationId } from "../kernel/ids.ts";
import { bedWithForks, rowOf, say, settled, texts } from "./fork-bed-harness.ts";

test("[FK8] a crash while messages are copied leaves no fork behind, and nobody has seen one", async () => {
	const { bed } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const half = { ...rowOf(bed, id), id: conversationId("half"), forkedFrom: id, isForming: true };
	bed.store.conversations.insert(half);
	expect(bed.conversations.list().conversations.map((found) => found.id)).toEqual([id]);
	expect(bed.conversations.get(id).forks).toBeUndefined();
	const next = bed.afterCrash();
	await vi.waitFor(() => expect(next.store.conversations.find(half.id)).toBeUndefined());
	await next.close();
});

test("[FK30] a crash while the agent copies its history leaves no copy behind: the next start knows of it and has it removed", async () => {
	const { bed, forked } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const { forkSession } = bed.runtime;
	bed.runtime.forkSession = async (fork) => {
		await forkSession?.(fork);
		return new Promise<string>(() => undefined);
	};
	void bed.conversations.fork(id, {}, "api");
	await vi.waitFor(() => expect(forked).toHaveLength(1));
	const [made] = bed.store.conversations.forming();
	expect([made, rowOf(bed, conversationId(made ?? "")).sdkSessionId]).toEqual([forked[0]?.newSessionId, made]);
	const next = bed.afterCrash();
	await vi.waitFor(() => expect(next.store.conversations.forming()).toEqual([]));
	expect(next.runtime.deleted).toContain(made);
	expect(next.conversations.list().conversations.map((found) => found.id)).toEqual([id]);
	await next.close();
});

/** A core whose agent copies a session only when it is let. */
async function bedWithSlowForks() {
	const { bed, forked } = await bedWithForks(({ newSessionId }) => newSessionId);
	const { forkSession } = bed.runtime;
	const gate = createGate();
	bed.runtime.forkSession = async (fork) => {
		const made = await forkSession?.(fork);
		await gate.opened;
		return made;
	};
	return { bed, forked, letGo: gate.open };
}

test("[FK31] a fork has what was said when it was asked for, and not what was said while it was made", async () => {
	const { bed, letGo } = await bedWithSlowForks();
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const forking = bed.conversations.fork(id, { prompt: "instead" }, "api");
	await bed.clock.advance(100);
	await say(bed, id, "two", "mark 2");
	letGo();
	const fork = await settled(bed, forking);
	expect(texts(bed, fork.id)).toEqual(["one", "answer to one", "instead"]);
	expect(texts(bed, id)).toEqual(["one", "answer to one", "two", "answer to two"]);
	await bed.close();
});

test("[FK31] a prompt that the source takes before the agent copies its history is not in the copy", async () => {
	const { bed, forked } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const { durable } = bed.store;
	const gate = createGate();
	bed.store.durable = async () => {
		await gate.opened;
		await durable();
	};
	const forking = bed.conversations.fork(id, {}, "api");
	bed.store.durable = durable;
	bed.conversations.prompt({ conversationId: id, prompt: "two", origin: "web" });
	(await bed.runtime.nextTurn()).taken("mark 2");
	await bed.clock.advance(100);
	gate.open();
	await settled(bed, forking);
	expect(forked).toMatchObject([{ isBusy: true, cut: { at: "prompt", mark: "mark 2", after: "mark 1" } }]);
	await bed.close();
});

test("[FK32] a fork whose source is deleted while it is made is refused, and not made without what was said", async () => {
	const { bed, letGo } = await bedWithSlowForks();
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	const forking = bed.conversations.fork(id, { prompt: "instead" }, "api");
	const refused = expect(forking).rejects.toMatchObject({ code: "conversation-not-found" });
	await bed.clock.advance(100);
	await settled(bed, bed.conversations.delete(id));
	letGo();
	await bed.clock.advance(100);
	await refused;
	expect([bed.conversations.list().conversations, bed.store.conversations.forming()]).toEqual([[], []]);
	await bed.close();
});

test("[FK33] what is left of a fork goes also when the disk refused that at first", async () => {
	const { bed } = await bedWithForks(({ newSessionId }) => newSessionId);
	const id = await bed.begin();
	await say(bed, id, "one", "mark 1");
	bed.store.conversations.insert({ ...rowOf(bed, id), id: conversationId("half"), forkedFrom: id, isForming: true });
	const remove = bed.store.conversations.delete;
	let refusals = 0;
	bed.store.conversations.delete = (which) => {
		refusals += 1;
		if (refusals < 3) throw new AppError("storage-read-only", "The disk does not accept writes.");
		return remove(which);
	};
	const next = bed.afterCrash();
	await next.clock.advance(3_000);
	expect([next.store.conversations.forming(), refusals]).toEqual([[], 3]);
	await next.close();
});
