import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import { hasNats, type TestNats } from "../test/support/nats.ts";
import type { TestServer } from "../test/support/server.ts";
import type { Benchmark, Series } from "./support/benchmark.ts";
import { cpuMsOf, natsPid } from "./support/fleet/cpu.ts";
import { listenToBeats } from "./support/fleet/listen.ts";
import { asRelay, heardSince, listedConversations, onlineHosts, startMember, until, withFleet } from "./support/fleet/servers.ts";
import { type HostProcess, startHosts } from "./support/fleet/simulated-fleet.ts";
import { treeRssMb } from "./support/processes.ts";
import { openReader } from "./support/readers.ts";
import { type Row, row } from "./support/row.ts";
import { percentile } from "./support/statistics.ts";

const SIZES = [5, 10, 25, 50];
const CONVERSATIONS = 20;
/** A host of the model: three conversations speak, ten words a second each. */
const MODEL = { speaking: 3, perSecond: 10 };
/** Conversations of other hosts that people look at on the one server that is measured. */
const WATCHED = 20;
const SECONDS = 10;

/** What was found with so many hosts. Percent of one core; MB; ms. */
interface Found {
	hosts: number;
	listMs: number;
	idle: { nats: number; console: number; host: number; beats: number };
	busy: { nats: number; console: number; host: number; p50: number; p99: number };
	natsMb: number;
	consoleMb: number;
	back: { heardMs: number; natsCpuMs: number; consoleCpuMs: number };
}

/** A fleet on one machine: real NATS, one real server that shows all of it, and light hosts with the real runtime. How its costs grow with the hosts. */
export const benchmark: Benchmark = {
	name: "fleet-scale",
	canRun: hasNats,
	longOnly: true,
	async run() {
		const found: Found[] = [];
		for (const hosts of SIZES) found.push(await measure(hosts));
		return { rows: found.flatMap(rowsOf), series: seriesOf(found) };
	},
};

function measure(hosts: number): Promise<Found> {
	return withFleet(["console", ...Array.from({ length: hosts }, (_, index) => `host-${index}`)], async ({ nats, places }) => {
		const [home = "", ...others] = places.homes;
		const half = Math.ceil(others.length / 2);
		const processes = await Promise.all(
			[others.slice(0, half), others.slice(half)].map((some) => startHosts(nats.url, some, { conversations: CONVERSATIONS })),
		);
		const server = await startMember(home, { url: nats.url });
		const listMs =
			(await until(async () => (await onlineHosts(server)) === hosts + 1, "the other hosts")) +
			(await until(async () => (await listedConversations(server)) >= hosts * CONVERSATIONS, "their conversations"));
		const ages = await watchSome(server, processes);
		const usage = usageOf(nats, server, processes, hosts);
		const beats = await listenToBeats(nats.url, places.fleet);
		const idle = await usage(() => new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000)));
		const heard = beats.take();
		await beats.close();
		ages.splice(0);
		const busy = await usage(() => Promise.all(processes.map((each) => each.order({ kind: "speak", ...MODEL, seconds: SECONDS }))));
		const [natsMb, consoleMb] = [treeRssMb(natsPid(nats.folder)) ?? 0, treeRssMb(server.pid, false) ?? 0];
		const back = await allAtOnce(nats, server, hosts);
		await Promise.all([server.close(), ...processes.map((each) => each.close())]);
		return {
			...{ hosts, listMs, natsMb, consoleMb, back },
			idle: { ...idle, beats: heard / SECONDS },
			busy: { ...busy, p50: percentile(ages, 0.5), p99: percentile(ages, 0.99) },
		};
	});
}

/** One conversation each of the first hosts, on the page of the one server. */
async function watchSome(server: TestServer, processes: readonly HostProcess[]): Promise<number[]> {
	const ages: number[] = [];
	const all = processes.flatMap((each) => each.report().hosts);
	const ids = Array.from({ length: WATCHED }, (_, index) => {
		const { host, conversationIds } = all[index % all.length] ?? { host: "", conversationIds: [] };
		return remoteIdOf(host, conversationIds[Math.floor(index / all.length) % MODEL.speaking] ?? "");
	});
	for (const id of new Set(ids)) await openReader(asRelay(server), id, ages);
	return ages;
}

/** Processor time during some work, in percent of one core. */
function usageOf(nats: TestNats, server: TestServer, processes: readonly HostProcess[], hosts: number) {
	const read = () => [natsPid(nats.folder), server.pid, ...processes.map(({ pid }) => pid)].map(cpuMsOf);
	return async (work: () => Promise<unknown>) => {
		const [begin, before] = [performance.now(), read()];
		await work();
		const seconds = (performance.now() - begin) / 1_000;
		const [natsMs = 0, consoleMs = 0, ...hostMs] = read().map((ms, index) => ms - (before[index] ?? 0));
		const percent = (ms: number) => ms / seconds / 10;
		return { nats: percent(natsMs), console: percent(consoleMs), host: percent(hostMs.reduce((sum, ms) => sum + ms, 0)) / hosts };
	};
}

/** NATS is killed and comes back: everybody connects at once, says who is there, asks what was missed, and keeps its copies again. */
async function allAtOnce(nats: TestNats, server: TestServer, hosts: number): Promise<Found["back"]> {
	await nats.kill();
	await until(async () => (await onlineHosts(server)) <= 1, "that the others are gone");
	const [consoleBefore, at] = [cpuMsOf(server.pid), Date.now()];
	await nats.start();
	const heardMs = await until(async () => (await heardSince(server, at)) === hosts, "that all are back");
	// Copies of all conversations follow, at two megabytes a second and host.
	await new Promise((resolve) => setTimeout(resolve, 5_000));
	return { heardMs, natsCpuMs: cpuMsOf(natsPid(nats.folder)), consoleCpuMs: cpuMsOf(server.pid) - consoleBefore };
}

function rowsOf({ hosts, listMs, idle, busy, natsMb, consoleMb, back }: Found): Row[] {
	const shown: [string, string, number][] = [
		["from the start of a server until it lists everything", "ms", listMs],
		["NATS, nobody speaks", "% of a core", idle.nats],
		["the server that shows all, nobody speaks", "% of a core", idle.console],
		["one host, nobody speaks", "% of a core", idle.host],
		["beats that one host hears", "/s", idle.beats],
		["NATS, three conversations of each host speak", "% of a core", busy.nats],
		["the server that shows all, the same", "% of a core", busy.console],
		["one host, the same", "% of a core", busy.host],
		["a delta of another host on a page, p50", "ms", busy.p50],
		["a delta of another host on a page, p99", "ms", busy.p99],
		["memory of NATS", "MB", natsMb],
		["memory of the server that shows all", "MB", consoleMb],
		["NATS was killed and is back: until all hosts were heard here", "ms", back.heardMs],
		["the same, processor time of NATS", "ms", back.natsCpuMs],
		["the same, processor time of the server that shows all", "ms", back.consoleCpuMs],
	];
	return shown.map(([name, unit, value]) => row({ name: `${hosts} hosts: ${name}`, unit, ours: [value], quick: false }));
}

function seriesOf(found: readonly Found[]): Series[] {
	const line = (label: string, read: (each: Found) => number) => ({
		label,
		points: found.map((each): [number, number] => [each.hosts, read(each)]),
	});
	return [
		{
			...{ name: "fleet-cpu", title: "A fleet whose hosts speak: processor time", x: "hosts", y: "% of a core" },
			lines: [
				line("NATS", ({ busy }) => busy.nats),
				line("a server that shows all", ({ busy }) => busy.console),
				line("one host", ({ busy }) => busy.host),
				line("NATS, all silent", ({ idle }) => idle.nats),
				line("one host, all silent", ({ idle }) => idle.host),
			],
		},
		{
			...{ name: "fleet-size", title: "A fleet: memory, and until all are back", x: "hosts", y: "MB, ms" },
			lines: [
				line("NATS, MB", ({ natsMb }) => natsMb),
				line("a server, MB", ({ consoleMb }) => consoleMb),
				line("all back, ms", ({ back }) => back.heardMs),
				line("list at start, ms", ({ listMs }) => listMs),
			],
		},
	];
}
