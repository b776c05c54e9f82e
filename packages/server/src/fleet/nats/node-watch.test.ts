import { afterEach, expect, test, vi } from "vitest";
import { type Clock, systemClock } from "../../core/kernel/clock.ts";
import { type FakeNats, startFakeNats } from "./fake-nats-harness.ts";
import { createNatsLink, type NatsLink } from "./nats-link.ts";

const until = <T>(holds: () => T) => vi.waitFor(holds, { timeout: 30_000, interval: 10 });
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

/** What a clock was asked to wait for. */
const waits: number[] = [];
/** Waits a hundredth of it. */
const impatient: Clock = {
	...systemClock,
	after(ms, run) {
		waits.push(ms);
		return systemClock.after(ms / 100, run);
	},
};
const LINES = ["rightseat bulk test", "rightseat control test"];
const CUT_OFF = { leader: "n1", silentMs: [5_000, 5_000] };

/** Connected to the first of them. */
async function connected(): Promise<{ link: NatsLink; first: FakeNats; second: FakeNats; third: FakeNats; told: string[] }> {
	const [first, second, third] = [await startFakeNats(), await startFakeNats(), await startFakeNats()];
	const nodes = [first, second, third];
	for (const node of nodes) ends.push(node.close);
	for (const node of [second, third]) node.setOpen(false);
	const url = nodes.map(({ port }) => `nats://127.0.0.1:${port}`).join(",");
	const link = createNatsLink({ url, allowOld: false }, { clock: impatient, name: "test" });
	ends.push(link.close);
	await link.ready();
	await until(() => expect(linesAt(first)).toEqual(LINES));
	for (const node of [second, third]) node.setOpen(true);
	link.judgeBy("S");
	const told: string[] = [];
	link.onStatus(() => told.push(link.status().kind));
	return { link, first, second, third, told };
}
/** Without those that only ask. */
const linesAt = (node: FakeNats) =>
	node
		.names()
		.filter((name) => LINES.includes(name))
		.toSorted();
const looksAt = (node: FakeNats) => node.published.filter((subject) => subject === "$JS.API.STREAM.INFO.S").length;
const moreLooks = async (node: FakeNats) => {
	const before = looksAt(node);
	await until(() => expect(looksAt(node)).toBeGreaterThan(before + 5));
};

test("[FL392] a node that answers but has not heard most of the others for seconds is left for the first that works", async () => {
	const { first, second, third } = await connected();
	second.setPeers(CUT_OFF);
	await moreLooks(first);
	expect(linesAt(first)).toEqual(LINES);
	first.setPeers(CUT_OFF);
	await until(() => expect(linesAt(third)).toEqual(LINES));
	expect([linesAt(first), linesAt(second)]).toEqual([[], []]);
});

test("[FL392] a node that works again at the second look is not left, although others work as well", async () => {
	const { first, second, told } = await connected();
	first.setPeersOnce(CUT_OFF);
	await until(() => expect(looksAt(second)).toBe(1));
	await moreLooks(first);
	expect([told, linesAt(first)]).toEqual([[], LINES]);
});

test("[FL392] one of three that is not heard makes nobody leave, and while a cluster chooses who leads it nobody does", async () => {
	const { first, second, third, told } = await connected();
	first.setPeers({ leader: "n1", silentMs: [500, 60_000] });
	await moreLooks(first);
	for (const node of [first, second, third]) node.setPeers({ leader: undefined, silentMs: [500, 500, 500] });
	await moreLooks(second);
	expect([told, linesAt(first)]).toEqual([[], LINES]);
});

test("[FL334] the only node that works, and the only one that can be reached, is not left: what is live would stand still for nothing", async () => {
	const { link, first, second, third, told } = await connected();
	first.setPeers(CUT_OFF);
	for (const node of [second, third]) node.setOpen(false);
	await moreLooks(first);
	link.leaveNode();
	await moreLooks(first);
	second.setOpen(true);
	second.setAnswering(false);
	await until(() => expect(looksAt(second)).toBeGreaterThan(1));
	// Nor for one that dies while it is asked.
	for (let deaths = 0; deaths < 3; deaths += 1) {
		await until(() => expect(second.names()).toContain("rightseat look test"));
		second.cut("look");
	}
	await moreLooks(first);
	expect([told, linesAt(first)]).toEqual([[], LINES]);
});

test("[FL392] the connection that is at a node that works already stays there when the other one comes", async () => {
	const { first, second, third } = await connected();
	for (const node of [first, third]) node.setOpen(false);
	first.cut("bulk");
	await until(() => expect([linesAt(first), linesAt(second)]).toEqual([["rightseat control test"], ["rightseat bulk test"]]));
	const before = second.connections();
	for (const node of [first, third]) node.setOpen(true);
	first.setPeers(CUT_OFF);
	await until(() => expect(linesAt(second)).toEqual(LINES));
	await moreLooks(second);
	expect([linesAt(second), second.connections().slice(before.length).includes("rightseat bulk test")]).toEqual([LINES, false]);
});

test("[FL392] the connection for words that is at a node that does not work comes to where the other one is", async () => {
	const { first, second, third } = await connected();
	for (const node of [first, third]) node.setOpen(false);
	first.cut("bulk");
	await until(() => expect([linesAt(first), linesAt(second)]).toEqual([["rightseat control test"], ["rightseat bulk test"]]));
	for (const node of [first, third]) node.setOpen(true);
	second.setPeers(CUT_OFF);
	await until(() => expect(linesAt(first)).toEqual(LINES));
});

test("[FL394] nodes that stay in trouble are asked less often", async () => {
	const { first, second, third } = await connected();
	for (const node of [first, second, third]) node.setPeers(CUT_OFF);
	waits.length = 0;
	await until(() => expect(waits).toContain(5_000));
	expect(waits.slice(0, waits.indexOf(5_000)).filter((ms) => ms === 1_000)).toHaveLength(10);
	first.setPeers({ leader: "n1", silentMs: [500, 500] });
	waits.length = 0;
	await until(() => expect(waits).toContain(3_000));
});

test("[FL372] who does not hear another host goes only to a node that works, as long as its own does", async () => {
	const { link, second, third } = await connected();
	second.setPeers(CUT_OFF);
	link.leaveNode();
	await until(() => expect(linesAt(third)).toEqual(LINES));
	expect(linesAt(second)).toEqual([]);
});

test("[FL392] who comes to a node that does not work is not kept there, however short ago it left another", async () => {
	const { link, first, second, third } = await connected();
	link.leaveNode();
	await until(() => expect(linesAt(second)).toEqual(LINES));
	for (const node of [first, second]) node.setPeers(CUT_OFF);
	await until(() => expect(linesAt(third)).toEqual(LINES));
});

test("[FL372] who does not hear another host goes to the first node that can be reached, even if none of them works", async () => {
	const { link, first, second, third } = await connected();
	for (const node of [first, second, third]) node.setPeers(CUT_OFF);
	link.leaveNode();
	await until(() => expect(linesAt(second)).toEqual(LINES));
	expect(linesAt(third)).toEqual([]);
});
