import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { createHostKeys } from "../../../packages/server/src/fleet/crypto/host-keys.ts";
import { createSealer } from "../../../packages/server/src/fleet/crypto/seal.ts";
import { createFleetHome } from "../../../packages/server/src/fleet/home/fleet-home.ts";
import { createLeaseCodec, putReleased } from "../../../packages/server/src/fleet/lease/lease-codec.ts";
import { createNatsCourier } from "../../../packages/server/src/fleet/nats/create-nats-courier.ts";
import { foundFleet } from "../../../packages/server/src/fleet/roster/found-fleet.ts";
import { buckets } from "../../../packages/server/src/fleet/subjects.ts";
import { forkProgram } from "../fork-program.ts";
import type { HostOrder, HostReport } from "./host-protocol.ts";

/** A fleet whose places are taken on disk: of real servers, or of light hosts. */
export interface FleetPlaces {
	fleet: string;
	/** The first founded it. */
	homes: readonly string[];
	/** Their ids, in the same order. */
	hosts: readonly string[];
}

/** Founds a fleet with so many hosts, each with its home under `directory`; what a person does with `init`, `invite` and `join`, without the talk. */
export async function makePlaces(url: string, directory: string, names: readonly string[]): Promise<FleetPlaces> {
	const courier = createNatsCourier({ url, allowOld: true }, { clock: systemClock, name: "bench" });
	await courier.ready();
	const { bus } = courier;
	const [first = "", ...others] = names.map((name) => join(directory, name));
	const founder = createFleetHome(first);
	const { identity, roster } = await foundFleet({ bus }, founder, { name: names[0] ?? "", now: Date.now });
	const { fleet } = identity;
	const sealer = createSealer(fleet, roster.held);
	const [keyRow] = await founder.contentKeys.read();
	const hosts = [identity.keys.host];
	const free = (host: string) =>
		putReleased(bus.bucket(buckets.leases(fleet)), createLeaseCodec(sealer, fleet, `host.${host}`, host), `host.${host}`);
	await free(identity.keys.host);
	const joined = others.map((folder) => createFleetHome(folder));
	for (const [index, home] of joined.entries()) {
		const keys = createHostKeys();
		await home.take({ fleet, name: names[index + 1] ?? "", since: Date.now(), keys, root: undefined });
		await home.contentKeys.append([keyRow]);
		const member = { host: keys.host, keys: keys.publicKeys, role: "full" } as const;
		await roster.say({ kind: "add", member, invite: `invite-${String(index).padStart(6, "0")}` });
		await free(keys.host);
		hosts.push(keys.host);
	}
	// Without the history a host would not know the key that it holds.
	const history = await founder.history.read();
	for (const home of joined) await home.history.append(history);
	await courier.close();
	return { fleet, homes: [first, ...others], hosts };
}

/** Light hosts in a process of their own. */
export interface HostProcess {
	readonly pid: number;
	/** As it was last told. */
	report(): HostReport;
	order(order: HostOrder): Promise<HostReport>;
	close(): Promise<void>;
}

/** Resolves when every one of them serves. */
export async function startHosts(
	url: string,
	homes: readonly string[],
	{ conversations, keeps = 2_000 }: { conversations: number; keeps?: number },
): Promise<HostProcess> {
	const child = forkProgram(join(import.meta.dirname, "host-process.ts"), [url, String(conversations), String(keeps), ...homes]);
	let last = await answer(child);
	return {
		pid: child.pid ?? 0,
		report: () => last,
		async order(order) {
			const told = answer(child);
			child.send(order);
			last = await told;
			return last;
		},
		async close() {
			const exited = new Promise((resolve) => child.once("exit", resolve));
			child.disconnect();
			await exited;
		},
	};
}

function answer(child: ChildProcess): Promise<HostReport> {
	return new Promise((resolve, reject) => {
		const fail = () => reject(new Error("A process of hosts ended."));
		child.once("exit", fail);
		child.once("message", (report: HostReport) => {
			child.off("exit", fail);
			resolve(report);
		});
	});
}
