import { afterEach, expect, test, vi } from "vitest";
import { type Clock, systemClock } from "../../core/kernel/clock.ts";
import { type FakeNats, startFakeNats } from "./fake-nats-harness.ts";
import { createNatsBus } from "./nats-bus.ts";
import { createNatsLink, type NatsLink } from "./nats-link.ts";
import { createPlacement } from "./replicas.ts";

const until = <T>(holds: () => T) => vi.waitFor(holds, { timeout: 30_000, interval: 10 });
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

async function fake(): Promise<FakeNats> {
	const made = await startFakeNats();
	ends.push(made.close);
	return made;
}
const connected = (...nodes: FakeNats[]) => connectedBy(systemClock, ...nodes);
async function connectedBy(clock: Clock, ...nodes: FakeNats[]): Promise<NatsLink> {
	const url = nodes.map(({ port }) => `nats://127.0.0.1:${port}`).join(",");
	const link = createNatsLink({ url, allowOld: false }, { clock, name: "test" });
	ends.push(link.close);
	await link.ready();
	return link;
}

test("[FL330] a connection that is back carries words at once, while the cluster has not said yet what the account may do", async () => {
	const node = await fake();
	const link = await connected(node);
	node.setAnswering(false);
	const asked = node.published.length;
	node.cut();
	await until(() => expect(link.status().kind).not.toBe("connected"));
	await until(() => expect(link.status().kind).toBe("connected"));
	link.line("bulk")?.publish("rs.f.live.h.c", "word");
	await until(() => expect(node.published).toContain("rs.f.live.h.c"));
	// Both lines have asked, and nobody has answered.
	expect(node.published.slice(asked).filter((subject) => subject === "$JS.API.INFO")).toHaveLength(2);
});

test("[FL393] a connection that is closed while it is asked what its account may do ends", async () => {
	const node = await fake();
	node.setAnswering(false);
	const link = createNatsLink({ url: `nats://127.0.0.1:${node.port}`, allowOld: false }, { clock: systemClock, name: "test" });
	await until(() => expect(node.published.filter((subject) => subject === "$JS.API.INFO")).toHaveLength(2));
	await link.close();
	await until(() => expect(node.names()).toEqual([]));
});

const BOTH = ["rightseat bulk test", "rightseat control test"];

test("[FL332] when the connection for signs of life has left a node, the one for words leaves it too", async () => {
	const [first, second] = [await fake(), await fake()];
	second.setOpen(false);
	await connected(first, second);
	await until(() => expect(first.names().toSorted()).toEqual(BOTH));
	second.setOpen(true);
	first.setOpen(false);
	first.cut("control");
	await until(() => expect(second.names().toSorted()).toEqual(BOTH));
	expect(first.names()).toEqual([]);
});

test("[FL333] a node that was down when this server started is used when the others are gone", async () => {
	const [first, second] = [await fake(), await fake()];
	second.setOpen(false);
	const link = await connected(first, second);
	await until(() => expect(first.names().toSorted()).toEqual(BOTH));
	second.setOpen(true);
	await first.close();
	await until(() => expect(second.names().toSorted()).toEqual(BOTH));
	await until(() => expect(link.status().kind).toBe("connected"));
});

test("[FL372] who leaves a node goes to the first of the others that were named, and knows when it is there", async () => {
	const [first, second, third] = [await fake(), await fake(), await fake()];
	for (const node of [first, second]) node.setOpen(false);
	const link = await connected(first, second, third);
	await until(() => expect(third.names().toSorted()).toEqual(BOTH));
	expect(link.isAtFirst()).toBe(false);
	for (const node of [first, second]) node.setOpen(true);
	link.leaveNode();
	await until(() => expect([first.names().toSorted(), link.isAtFirst()]).toEqual([BOTH, true]));
	expect(second.names()).toEqual([]);
});

/** Waits a hundredth of what it is asked for. */
const impatient: Clock = { ...systemClock, after: (ms, run) => systemClock.after(ms / 100, run) };

test("[FL338] after logins that were refused a connection begins anew: whatever was heard before is heard, and subscribed once", async () => {
	const node = await fake();
	const link = await connectedBy(impatient, node);
	const bus = createNatsBus(link, createPlacement({ clock: systemClock }));
	bus.subscribe("rs.f.beat.*", () => undefined);
	await until(() => expect(node.subscribed.filter((subject) => subject === "rs.f.beat.*")).toHaveLength(1));
	const before = link.kept("control");
	node.setRefusing(true);
	node.cut();
	await until(() => expect(node.refusals()).toBeGreaterThan(6));
	node.setRefusing(false);
	await until(() => expect(link.status().kind).toBe("connected"));
	expect(link.kept("control")).not.toBe(before);
	await until(() => expect(node.subscribed.filter((subject) => subject === "rs.f.beat.*").length).toBeGreaterThan(1));
	expect(node.subscribed.filter((subject) => subject === "rs.f.beat.*")).toHaveLength(2);
});

test("[FL337] credentials that end while a connection stands are told as that, until new ones are taken", async () => {
	const node = await fake();
	const link = await connectedBy(impatient, node);
	const reasonOf = () => {
		const now = link.status();
		return now.kind === "connected" ? now.kind : String(now.because?.params?.reason);
	};
	const told: string[] = [];
	link.onStatus(() => told.push(reasonOf()));
	node.setRefusing(true);
	node.cut();
	await until(() => expect(reasonOf()).toBe("credentials"));
	const [refusals, begun] = [node.refusals(), told.length];
	await until(() => expect(node.refusals()).toBeGreaterThan(refusals + 3));
	node.setRefusing(false);
	await until(() => expect(reasonOf()).toBe("connected"));
	expect(told.slice(begun).filter((reason) => reason === "lost")).toEqual([]);
});
