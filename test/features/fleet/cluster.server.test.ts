import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { createNatsCourier, type NatsCourier } from "../../../packages/server/src/fleet/nats/create-nats-courier.ts";
import { isWorking } from "../../../packages/server/src/fleet/nats/node-health.ts";
import { type Cluster, NODES, startCluster } from "../../faults/fleet/cluster.ts";
import { hasNats } from "../../support/nats.ts";

/** Long, because nodes elect leaders meanwhile and the machine may be busy. */
const until = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 60_000, interval: 100 });

describe.skipIf(!hasNats)("over three real NATS servers", () => {
	let cluster: Cluster;
	let folder: string;
	let operator: NatsConnection;
	let manager: JetStreamManager;
	let courier: NatsCourier;
	let aheadMs = 0;
	const onFewServers = vi.fn();
	// One for all tests: until three nodes work together takes seconds. The first test starts the third of them.
	beforeAll(async () => {
		cluster = await startCluster({}, [0, 1]);
		folder = mkdtempSync(join(tmpdir(), "rightseat-fleet-cluster-"));
		const { password } = cluster.settings();
		const credsFile = join(folder, "login");
		writeFileSync(credsFile, `fleet:${password}`);
		operator = await connect({ servers: [...cluster.urls], user: "fleet", pass: password });
		manager = await jetstreamManager(operator, { checkAPI: false, timeout: 5_000 });
		await until(() => manager.getAccountInfo());
		const url = cluster.urls.map((each) => `nats://${each}`).join(",");
		const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + aheadMs };
		courier = createNatsCourier({ url, allowOld: true, credsFile }, { clock, name: "test", onFewServers });
		await courier.ready();
	});
	afterAll(async () => {
		await courier?.close();
		await operator?.close();
		await cluster?.close();
		rmSync(folder, { recursive: true, force: true });
	});
	const replicas = async (stream: string) => (await manager.streams.info(stream)).config.num_replicas;

	test("[FL390] what is made while a server of the cluster is missing is on three when it is there, and not on one for ever", async () => {
		const [table, copies] = [courier.bus.bucket("RS_x_T"), courier.copies("x")];
		const keep = () => copies.keep([{ subject: "rs.x.snap.h.c.0", bytes: Buffer.from("copy") }]);
		const stored = until(() => Promise.all([table.put("k", "1", undefined), keep()]));
		// It may be there in a moment, and what is made on one server now would be gone with that one.
		await until(() => expect(onFewServers).toHaveBeenCalledOnce());
		await expect(replicas("RS_x_SNAP")).rejects.toThrow("stream not found");
		// It is missing for long: better one server than none.
		aheadMs += 30_000;
		await stored;
		expect([await replicas("KV_RS_x_T"), await replicas("RS_x_SNAP")]).toEqual([1, 1]);
		await cluster.start(2);
		await until(async () => {
			aheadMs += 60_000;
			expect([(await table.get("k"))?.value, Buffer.from((await copies.find("rs.x.snap.h.c.0")) ?? []).toString()]).toEqual(["1", "copy"]);
			expect([await replicas("KV_RS_x_T"), await replicas("RS_x_SNAP")]).toEqual([3, 3]);
		});
	});

	test("[FL392] a node that leads a stream and is cut off goes on answering, and is seen to work no more", async () => {
		const stream = "KV_RS_x_T";
		const leader = await until(async () => {
			const { cluster: group } = await manager.streams.info(stream);
			expect(group?.replicas?.map(({ current }) => current)).toEqual([true, true]);
			return NODES.find((node) => `n${node + 1}` === group?.leader) ?? 0;
		});
		const at = await connect({ servers: [cluster.urls[leader] ?? ""], user: "fleet", pass: cluster.settings().password });
		try {
			expect(await isWorking(at, stream)).toBe(true);
			for (const other of NODES) if (other !== leader) cluster.part(leader, other);
			await until(async () => expect(await isWorking(at, stream)).toBe(false));
			const cutOff = await jetstreamManager(at, { checkAPI: false, timeout: 5_000 });
			await expect(cutOff.streams.info(stream)).resolves.toBeDefined();
		} finally {
			await at.close();
		}
	});
});
