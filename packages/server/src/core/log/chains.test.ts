import type { Position } from "@rightseat/protocol/fleet/position";
import { expect, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { chainLink } from "../../fleet/crypto/chain.ts";
import { conversationId } from "../kernel/ids.ts";
import type { ChainStore } from "../ports/fleet-store.ts";
import { CHAIN_START, createChains } from "./chains.ts";

const ID = conversationId("c1");

function createChainStore(): ChainStore {
	const rows = new Map<string, Position>();
	return { find: (id) => rows.get(id), set: (id, position) => void rows.set(id, position), delete: (id) => void rows.delete(id) };
}

test("[FL192] a new epoch is a later generation whatever the clock says, and a log that went on alone begins a new chain", () => {
	const clock = createFakeClock();
	const store = createChainStore();
	const chains = createChains({ store, link: chainLink, clock });
	const first = chains.at(ID, { epoch: "e1", headSeq: 3 });
	expect(first).toEqual({ generation: clock.now(), epoch: "e1", seq: 3, chain: CHAIN_START });
	chains.keep(ID, { ...first, seq: 4, chain: "0123456789abcdef" });
	expect(chains.at(ID, { epoch: "e1", headSeq: 4 })).toEqual({ ...first, seq: 4, chain: "0123456789abcdef" });
	expect(chains.at(ID, { epoch: "e1", headSeq: 9 })).toEqual({ ...first, seq: 9, chain: CHAIN_START });
	expect(chains.at(ID, { epoch: "e2", headSeq: 9 })).toEqual({ generation: first.generation + 1, epoch: "e2", seq: 9, chain: CHAIN_START });
	expect(store.find(ID)?.epoch).toBe("e2");
	chains.forget(ID);
	expect(store.find(ID)).toBeUndefined();
});

test("[FL191] every event is committed with the chain after it, and read back with it; without a fleet there is none", async () => {
	const core = await createCoreBed({}, undefined, {}, { isInFleet: true });
	const id = await core.begin();
	const told: { seq: number; chain: string | undefined; frame: string }[] = [];
	const { hostLog } = core;
	if (hostLog === undefined) throw new Error("There is no log for the fleet.");
	hostLog.onEvents((events) => told.push(...events.map(({ seq, link, frame }) => ({ seq, frame, chain: link?.chain }))));
	const before = hostLog.position(id);
	core.conversations.prompt({ conversationId: id, prompt: "hello", origin: "web" });
	await hostLog.durable();
	const after = hostLog.position(id);
	expect(told.length).toBeGreaterThan(1);
	let chain = before?.chain ?? "";
	for (const event of told) {
		chain = chainLink(chain, event.frame);
		expect(event.chain).toBe(chain);
		expect(hostLog.chainAt(id, event.seq)).toBe(chain);
	}
	expect(after).toEqual({ ...before, seq: told.at(-1)?.seq, chain });
	expect(core.fleetStore?.chains.find(id)).toEqual(after);
	const head = after ?? { generation: 0, epoch: "", seq: 0, chain: "" };
	expect(hostLog.missed(id, before?.seq ?? 0, head)?.map(({ frame }) => frame)).toEqual(told.map(({ frame }) => frame));
	expect(JSON.parse(hostLog.snapshot(id))).toMatchObject({ type: "copilot:snapshot", data: { seq: head.seq, epoch: head.epoch } });
	await core.close();

	const alone = await createCoreBed();
	const own = await alone.begin();
	alone.conversations.prompt({ conversationId: own, prompt: "hello", origin: "web" });
	expect([alone.hostLog, alone.fleetStore?.chains.find(own)]).toEqual([undefined, undefined]);
	await alone.close();
});

test("[FL191] after a restart the chain goes on where it stood, and what is only on disk has to be asked for whole", async () => {
	const core = await createCoreBed({}, undefined, {}, { isInFleet: true });
	const id = await core.begin();
	core.conversations.prompt({ conversationId: id, prompt: "hello", origin: "web" });
	const stood = core.hostLog?.position(id);
	const again = core.afterCrash();
	const head = again.hostLog?.position(id);
	expect(head?.generation).toBe(stood?.generation);
	expect(again.hostLog?.missed(id, 0, head ?? { generation: 0, epoch: "", seq: 0, chain: "" })).toBeUndefined();
	await again.close();
});
