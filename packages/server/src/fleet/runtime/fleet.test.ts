import { expect, test, vi } from "vitest";
import { AppError } from "../../core/kernel/errors.ts";
import { conversationId } from "../../core/kernel/ids.ts";
import { removeHost } from "../roster/found-fleet.ts";
import { createView } from "./fake-owner-harness.ts";
import { createFleetBed, memoryHome } from "./fleet-bed-harness.ts";

type Bed = ReturnType<typeof createFleetBed>;
type Host = ReturnType<Bed["createHost"]>;

async function twoHosts() {
	const bed = createFleetBed();
	const [desk, laptop] = [bed.createHost("desk"), bed.createHost("laptop")];
	await bed.found(desk);
	const { outcome, words } = await bed.join(laptop, desk);
	expect(outcome).toBe("joined");
	await bed.until(() => sees(desk, "laptop", "online") && sees(laptop, "desk", "online"), "each other");
	return { bed, desk, laptop, words };
}
const sees = ({ fleet }: Host, name: string, state: string) => fleet.hosts().some((host) => host.name === name && host.state === state);
const remote = async (host: Host, id: string) => conversationId(`${await host.host()}_${id}`);
const refusalOf = ({ fleet }: Host) => {
	const status = fleet.status();
	return status.kind === "refused" ? String(status.because.params?.reason) : status.kind;
};

test("[FL140] a fleet is founded and joined, both see the same words, and each host sees the other with its name", async () => {
	const { bed, desk, laptop, words } = await twoHosts();
	expect(words).toHaveLength(2);
	expect(words[0]).toBe(words[1]);
	expect(desk.fleet.hosts().map(({ name, self, state, version }) => ({ name, self, state, version }))).toEqual([
		{ name: "desk", self: true, state: "online", version: "1.0.0" },
		{ name: "laptop", self: false, state: "online", version: "1.0.0" },
	]);
	expect(refusalOf(laptop)).toBe("connected");
	const stranger = bed.createHost("stranger");
	const { outcome } = await bed.join(stranger, desk, { isAgreed: false });
	expect(outcome).toMatchObject({ code: "fleet-refused", params: { reason: "rejected" } });
	expect(await stranger.home.find()).toBeUndefined();
});

test("[FL141] conversations of other hosts are listed, and their words arrive once and in order, also those that were lost", async () => {
	const { bed, desk, laptop } = await twoHosts();
	laptop.fake.create("c1");
	await bed.until(() => desk.fleet.conversations().length === 1, "the list");
	expect(desk.fleet.conversations()).toMatchObject([
		{ id: await remote(laptop, "c1"), title: "about c1", host: { id: await laptop.host(), name: "laptop" } },
	]);
	laptop.fake.say("c1", "before");
	const view = createView();
	desk.fleet.watch(await remote(laptop, "c1"), view.reader);
	await bed.until(() => view.words().length === 1, "the snapshot");
	laptop.fake.say("c1", "live");
	await bed.until(() => view.words().length === 2, "the word");
	// A last word that was lost is noticed by the next beats.
	bed.bus.cut(true);
	laptop.fake.say("c1", "lost");
	await bed.clock.settle();
	bed.bus.cut(false);
	await bed.until(() => view.words().length === 3, "the lost word");
	expect(view.words()).toEqual(["before", "live", "lost"]);
	laptop.fake.delete("c1");
	await bed.until(() => desk.fleet.conversations().length === 0, "the end of the list");
});

test("[FL265] what waits on a host for a person is told at once, found again when that was lost, known of one that is away, and not told to who may only watch", async () => {
	const { bed, desk, laptop } = await twoHosts();
	const item = (id: string) => ({
		id,
		kind: "finished" as const,
		conversationId: "c1",
		title: "t",
		why: "w",
		since: "2026-01-01T00:00:00Z",
	});
	const ids = ({ fleet }: Host) => fleet.inbox().items.map(({ id }) => id.slice(17));
	laptop.fake.setInbox({ items: [item("finished-1")], snoozed: [] });
	await bed.until(() => ids(desk).length === 1, "the item");
	expect(desk.fleet.inbox().items).toMatchObject([{ conversationId: await remote(laptop, "c1"), host: { name: "laptop" } }]);
	bed.bus.cut(true);
	laptop.fake.setInbox({ items: [item("finished-2")], snoozed: [] });
	await bed.clock.settle();
	bed.bus.cut(false);
	await bed.until(() => ids(desk)[0] === "finished-2", "the item whose message was lost");
	await laptop.fleet.close();
	await bed.until(() => sees(desk, "laptop", "offline"), "the end");
	const [guest, late] = [bed.createHost("guest"), bed.createHost("late")];
	await bed.join(guest, desk, { role: "watch" });
	await bed.join(late, desk);
	await bed.until(() => ids(late).length === 1, "what is known of a host that is away");
	expect(ids(guest)).toEqual([]);
});

test("[FL142] a host that stops is offline at once, one that dies after three beats; its list and its copy stay readable", async () => {
	const { bed, desk, laptop } = await twoHosts();
	laptop.fake.create("c1");
	laptop.fake.say("c1", "kept");
	laptop.fake.say("c1", "end", "copilot:idle");
	await bed.until(() => bed.engine.kept.size > 0 && desk.fleet.conversations().length === 1, "the copy");
	const stoppedAt = bed.clock.elapsed();
	await laptop.fleet.close();
	await bed.until(() => sees(desk, "laptop", "offline"), "offline");
	expect(bed.clock.elapsed() - stoppedAt).toBeLessThan(5_000);
	const view = createView();
	desk.fleet.watch(await remote(laptop, "c1"), view.reader);
	await bed.until(() => view.copyOf() !== undefined, "the copy");
	expect(view.words()).toEqual(["kept", "end"]);
	expect(desk.fleet.conversations()).toHaveLength(1);
	expect(desk.fleet.hosts()[1]?.lastSeen).toBeDefined();
	const asked = desk.fleet.command({ to: await laptop.host(), actor: { origin: "web" }, frame: { type: "copilot:send", data: {} } });
	await expect(asked).rejects.toMatchObject({ code: "host-offline" });

	// The next run of the same disk is the owner again, and its word replaces the copy.
	const again = bed.createHost("laptop", laptop.home);
	again.fake.create("c1");
	again.fake.say("c1", "kept");
	again.fake.say("c1", "end", "copilot:idle");
	again.fake.say("c1", "more");
	await again.fleet.start();
	await bed.until(() => view.words().length === 3 && view.copyOf() === undefined, "the owner's word");
});

test("[FL143] a command runs on its host, once, with an audit; less than full is refused there", async () => {
	const { bed, desk, laptop } = await twoHosts();
	const watcher = bed.createHost("watcher");
	await bed.join(watcher, desk, { role: "watch" });
	await bed.until(() => sees(watcher, "laptop", "online") && sees(laptop, "watcher", "online"), "the watcher");
	const frame = { type: "copilot:send", data: { conversationId: "c1", prompt: "hello" } };
	const request = { to: await laptop.host(), conversationId: "c1", actor: { origin: "web" }, frame } as const;
	let answers: unknown[] = [];
	void Promise.all([desk.fleet.command(request), watcher.fleet.command(request).catch((error: unknown) => error)]).then((done) => {
		answers = done;
	});
	await bed.until(() => answers.length === 2, "the answers");
	expect(answers[0]).toEqual(['{"type":"done"}']);
	expect(answers[1]).toMatchObject({ code: "not-allowed-on-host" });
	expect(laptop.fake.ran).toHaveLength(1);
	expect(laptop.fake.audited).toEqual(["copilot:send done", "copilot:send not-allowed-on-host"]);
});

test("[FL144] a removed host is out everywhere at once, is told so, and the others go on with a new key that it does not get", async () => {
	const { bed, desk, laptop } = await twoHosts();
	const third = bed.createHost("third");
	await bed.join(third, desk);
	await bed.until(() => sees(laptop, "third", "online"), "the third");
	await desk.fleet.remove(await laptop.host());
	await expect(desk.fleet.remove("abcdefgh234567ab")).rejects.toMatchObject({ code: "host-removed" });
	await bed.until(() => refusalOf(laptop) === "removed", "that it is told");
	await bed.until(() => !sees(third, "laptop", "online") && !third.fleet.hosts().some(({ name }) => name === "laptop"), "that it is out");
	third.fake.create("c3");
	third.fake.say("c3", "secret");
	const [inside, outside] = [createView(), createView()];
	desk.fleet.watch(await remote(third, "c3"), inside.reader);
	laptop.fleet.watch(await remote(third, "c3"), outside.reader);
	await bed.until(() => inside.words().length === 1, "the word");
	third.fake.say("c3", "more");
	await bed.until(() => inside.words().length === 2, "the next word");
	expect(outside.words()).toEqual([]);
	// Whoever joins now has the new key only, and finds everything under it.
	const late = bed.createHost("late");
	await bed.join(late, desk);
	await third.fleet.close();
	await bed.until(() => sees(late, "third", "offline") && late.fleet.conversations().length === 1, "its list");
	const copy = createView();
	late.fleet.watch(await remote(third, "c3"), copy.reader);
	await bed.until(() => copy.copyOf() !== undefined, "its copy");
});

test("[FL157] that others know of members whom the engine does not show here is told after a minute", async () => {
	const { bed, desk, laptop } = await twoHosts();
	const warningOf = ({ fleet }: Host) => {
		const status = fleet.status();
		return status.kind === "connected" ? String(status.warning?.params?.reason) : status.kind;
	};
	expect(warningOf(laptop)).toBe("undefined");
	laptop.kept.isBlind = true;
	const roster = await bed.rosterOf(desk);
	await roster.say({ kind: "role", host: await laptop.host(), role: "talk" });
	await bed.until(() => warningOf(laptop) === "withheld", "the warning");
	expect(warningOf(desk)).toBe("undefined");
});

test("[FL293] whoever is removed, or may not do everything any more, has nothing open on any other host at once", async () => {
	const { bed, desk, laptop } = await twoHosts();
	const third = bed.createHost("third");
	await bed.join(third, desk, { role: "full" });
	await bed.until(() => sees(laptop, "third", "online"), "the third");
	const roster = await bed.rosterOf(desk);
	await roster.say({ kind: "role", host: await third.host(), role: "talk" });
	await bed.until(() => [desk, laptop].every(({ fake }) => fake.forgotten.length === 1), "the smaller role");
	await removeHost(roster, await laptop.host());
	await bed.until(() => desk.fake.forgotten.length === 2 && third.fake.forgotten.length > 0, "the removal");
	expect(desk.fake.forgotten).toEqual([await third.host(), await laptop.host()]);
	expect(third.fake.forgotten).toContain(await laptop.host());
});

test("[FL145] a host that leaves by itself is followed by a new key that another member makes", async () => {
	const { bed, desk, laptop } = await twoHosts();
	const roster = await bed.rosterOf(laptop);
	const keyBefore = roster.members.keyNumber();
	await roster.say({ kind: "remove", host: await laptop.host() });
	await laptop.home.leave();
	await bed.until(() => refusalOf(laptop) === "no-place", "that it has left");
	const seen = await bed.rosterOf(desk);
	await bed.until(async () => {
		await seen.sync();
		return seen.members.keyNumber() > keyBefore;
	}, "the new key");
	expect(seen.held.isBehind()).toBe(false);
	await bed.until(() => desk.fleet.hosts().length === 1, "that it is out");
});

test("[FL146] an identity that is in use elsewhere stays out, and says where it is in use", async () => {
	const { bed, desk, laptop } = await twoHosts();
	const clone = bed.createHost("laptop", laptop.home, { machine: "copy-of-laptop" });
	await clone.fleet.start();
	await bed.until(() => refusalOf(clone) === "in-use", "that it is noticed");
	expect(clone.logged.filter((line) => line.includes("in use on laptop"))).toHaveLength(1);
	const status = clone.fleet.status();
	expect(status.kind === "refused" && status.because.params?.name).toBe("laptop");
	expect(sees(desk, "laptop", "online")).toBe(true);
	expect(refusalOf(laptop)).toBe("connected");
	expect(clone.fleet.hosts()[0]?.state).toBe("offline");
	let isDone = false;
	const asked = { to: await laptop.host(), actor: { origin: "web" }, frame: { type: "copilot:send", data: {} } } as const;
	void desk.fleet.command(asked).then(() => {
		isDone = true;
	});
	await bed.until(() => isDone, "the answer");
	expect([laptop.fake.ran.length, clone.fake.ran.length]).toEqual([1, 0]);
	// When the first one is gone, the second may have it.
	await laptop.fleet.close();
	await bed.until(() => refusalOf(clone) === "connected" && sees(desk, "laptop", "online"), "the hand-over");
});

test("[FL147] whatever the engine forgets is brought back: members, keys, cards, lists and copies", async () => {
	const { bed, desk, laptop } = await twoHosts();
	laptop.fake.create("c1");
	laptop.fake.say("c1", "kept", "copilot:idle");
	await bed.until(() => bed.engine.kept.size > 0 && desk.fleet.conversations().length === 1, "the copy");
	bed.engine.forget();
	await bed.until(() => bed.engine.kept.size > 0, "the copy again");
	const late = bed.createHost("late");
	// The members are there again at the latest after a minute.
	await bed.clock.advance(61_000);
	const { outcome } = await bed.join(late, desk);
	expect(outcome).toBe("joined");
	await bed.until(() => late.fleet.conversations().length === 1 && sees(late, "laptop", "online"), "the list");
	expect(sees(laptop, "desk", "online")).toBe(true);
});

test("[FL148] a conversation that is larger than a message is read in parts", async () => {
	const { bed, desk, laptop } = await twoHosts();
	bed.engine.limit(20_000);
	laptop.fake.create("c1");
	const words = Array.from({ length: 40 }, () => Array.from({ length: 200 }, () => Math.random().toString(36)).join(""));
	for (const word of words) laptop.fake.say("c1", word);
	const view = createView();
	desk.fleet.watch(await remote(laptop, "c1"), view.reader);
	await bed.until(() => view.words().length === words.length, "everything");
	expect(view.words()).toEqual(words);
	// An event above the limit goes out without its words, and they are asked for.
	const long = words.join("").slice(0, 60_000);
	laptop.fake.say("c1", long);
	await bed.until(() => view.words().length === words.length + 1, "the long one");
	expect(view.words().at(-1)).toBe(long);
});

test("[FL149] a server takes its place while it runs as soon as a command has made one, and asks for nothing before", async () => {
	const bed = createFleetBed();
	const home = memoryHome();
	const host = bed.createHost("desk", home);
	await host.fleet.start();
	expect(refusalOf(host)).toBe("no-place");
	expect([host.fleet.hosts(), host.fleet.conversations()]).toEqual([[], []]);
	await expect(host.fleet.command({ to: "x", actor: { origin: "web" }, frame: { type: "ping" } })).rejects.toBeInstanceOf(AppError);
	const lease = host.fleet.lease("telegram.1");
	const changed = vi.fn();
	host.fleet.onChange(changed);
	const founder = bed.createHost("desk", home);
	await bed.found(founder);
	await founder.fleet.close();
	await bed.until(() => refusalOf(host) === "connected" && sees(host, "desk", "online"), "its place");
	await bed.until(() => lease.fence() !== undefined, "the task");
	expect(changed).toHaveBeenCalled();
	await host.fleet.close();
	expect(lease.fence()).toBeUndefined();
});
