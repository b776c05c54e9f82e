import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import { WebSocket } from "ws";
import { createFaultProxy } from "../test/support/fault-proxy.ts";
import { hasNats } from "../test/support/nats.ts";
import type { TestServer } from "../test/support/server.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { cpuMsOf } from "./support/fleet/cpu.ts";
import { onlineHosts, startMember, until, withFleet } from "./support/fleet/servers.ts";
import { type HostProcess, startHosts } from "./support/fleet/simulated-fleet.ts";
import { noteAges } from "./support/readers.ts";
import { atMost, row } from "./support/row.ts";
import { percentile } from "./support/statistics.ts";

const EVENTS = 100_000;
const CONVERSATIONS = 50;

/** A server was cut off from the fleet while another host said a lot: from when it may connect again until its page has everything. */
export const benchmark: Benchmark = {
	name: "fleet-catch-up",
	canRun: hasNats,
	run: ({ quick }) =>
		withFleet(["console", "owner"], async ({ nats, places }) => {
			const [events, conversations] = quick ? [EVENTS / 20, CONVERSATIONS / 5] : [EVENTS, CONVERSATIONS];
			const proxy = await createFaultProxy({ port: nats.port });
			const [consoleHome = "", ...owner] = places.homes;
			const [here, there] = await Promise.all([
				startMember(consoleHome, { url: `nats://127.0.0.1:${proxy.port}` }),
				// One that keeps everything, so that nobody is helped by a snapshot.
				startHosts(nats.url, owner, { conversations, keeps: EVENTS }),
			]);
			await until(async () => (await onlineHosts(here)) === 2, "the other host");
			const watch = await watchAll(here, there);
			await there.order({ kind: "speak", speaking: conversations, perSecond: 20, seconds: quick ? 1 : 5 });
			const ages = watch.takeAges();
			const times = { many: [] as number[], one: [] as number[] };
			const cpu = { many: [] as number[], one: [] as number[] };
			for (let round = 0; round < (quick ? 1 : 3); round += 1)
				for (const [kind, speaking] of [
					["many", conversations],
					["one", 1],
				] as const) {
					proxy.refuse();
					proxy.cut();
					await until(() => proxy.connections() === 0, "the cut");
					const { heads } = await there.order({ kind: "burst", speaking, events });
					const [begin, cpuBefore] = [performance.now(), cpuMsOf(here.pid)];
					proxy.resume();
					await watch.reaches(heads);
					times[kind].push(performance.now() - begin);
					cpu[kind].push(((cpuMsOf(here.pid) - cpuBefore) * 1_000) / events);
				}
			watch.close();
			await Promise.all([here.close(), there.close(), proxy.close()]);
			const name = `${events.toLocaleString("en-US")} events of another host that were missed, one by one`;
			return {
				rows: [
					// Without an agent and a disk there: all of it is the way.
					row({
						name: "a word of another host, from there to a page here, p50",
						unit: "ms",
						ours: [percentile(ages, 0.5)],
						goal: atMost(10),
						quick,
					}),
					row({ name: `${name}, in ${conversations} conversations`, unit: "ms", ours: times.many, goal: atMost(3_000), quick }),
					row({ name: `${name}, in one`, unit: "ms", ours: times.one, goal: atMost(3_000), quick }),
					// What a busy machine does not change.
					row({ name: `${name}: processor time of the server for each`, unit: "µs", ours: [...cpu.many, ...cpu.one], quick }),
				],
			};
		}),
};

/** A page that looks at every conversation of the other host, and how far each of them stands on it. */
async function watchAll(here: TestServer, there: HostProcess) {
	const socket = new WebSocket(new URL("/ws", here.url.replace("http", "ws")), {
		headers: { origin: here.url, authorization: `Bearer ${here.token}` },
		perMessageDeflate: false,
	});
	const shown = new Map<string, number>();
	const wanted = new Map<string, number>();
	let reached = () => undefined;
	const ages: number[] = [];
	let isNoting = true;
	const [owner] = there.report().hosts;
	const ids = (owner?.conversationIds ?? []).map((id) => remoteIdOf(owner?.host ?? "", id));
	socket.on("message", (raw) => {
		const text = String(raw);
		if (isNoting) noteAges(text, ages);
		const [, id = "", seq = ""] = /"conversationId":"([\w-]+)","epoch":"[\w-]+","seq":(\d+)/.exec(text) ?? [];
		if (id === "") return;
		const [at, is] = [shown.get(id) ?? -1, Number(seq)];
		// Nothing that was missed may be left out or come twice.
		if (at >= 0 && text.startsWith('{"type":"copilot:delta"') && is !== at + 1) throw new Error(`${is} after ${at}`);
		shown.set(id, is);
		if (wanted.get(id) === is) {
			wanted.delete(id);
			if (wanted.size === 0) reached();
		}
	});
	await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
	for (const conversationId of ids) socket.send(JSON.stringify({ type: "copilot:subscribe", data: { conversationId } }));
	await until(() => shown.size === ids.length, "the first snapshots");
	return {
		takeAges() {
			isNoting = false;
			return ages;
		},
		reaches(heads: Record<string, number>): Promise<void> {
			for (const [id, seq] of Object.entries(heads)) {
				const remote = remoteIdOf(owner?.host ?? "", id);
				if ((shown.get(remote) ?? 0) < seq) wanted.set(remote, seq);
			}
			return new Promise((resolve) => {
				reached = () => void resolve();
				if (wanted.size === 0) resolve();
			});
		},
		close: () => socket.terminate(),
	};
}
