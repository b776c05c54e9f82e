import { opendirSync, readFileSync } from "node:fs";
import { WebSocket } from "ws";
import type { TestServer } from "../../test/support/server.ts";
import type { Profile } from "./benchmark.ts";
import { type CpuProfile, createServerRooms, timeByRoom } from "./rooms.ts";

/** For a server that will be profiled: nothing changes until its inspector is opened. */
export const PROFILED_ENV = { NODE_OPTIONS: "--inspect-port=127.0.0.1:0" };

const SAMPLE_US = 500;
const OPEN_LIMIT_MS = 10_000;

/** What a server does while `play` runs, divided by what it gives: CPU time of each thread, that of the main thread by rooms. */
export async function profileServer(server: TestServer, title: string, play: () => Promise<number>): Promise<Profile> {
	// Measured first, by itself: the profiler has a thread of its own, and wakes the main thread for every sample.
	const before = threadTimes(server.pid);
	const count = await play();
	const { main, ofV8, sync, others } = byThread(before, threadTimes(server.pid));

	const inspector = await openInspector(server);
	await inspector.ask("Profiler.enable");
	await inspector.ask("Profiler.setSamplingInterval", { interval: SAMPLE_US });
	await inspector.ask("Profiler.start");
	await play();
	const { profile } = await inspector.ask<{ profile: CpuProfile }>("Profiler.stop");
	inspector.close();

	const times = timeByRoom(profile, createServerRooms());
	const sampled = [...times.values()].reduce((sum, us) => sum + us, 0);
	const rooms = [...times].map(([room, us]): [string, number] => [`main thread: ${room}`, (us / sampled) * main]);
	const threads: [string, number][] = [
		["the thread that syncs", sync],
		["V8's own threads: compiling, collecting", ofV8],
		["other threads", others],
	];
	const lines = [...rooms, ...threads].map(([what, us]) => ({ what, value: us / count }));
	return { title, unit: "µs", lines: lines.sort((a, b) => b.value - a.value) };
}

/** Node opens its inspector when it is sent this signal, says where, and leaves it open. */
async function openInspector({ pid, output }: Pick<TestServer, "pid" | "output">) {
	process.kill(pid, "SIGUSR1");
	const addressIn = () => /Debugger listening on (ws:\S+)/.exec(output())?.[1];
	const deadline = performance.now() + OPEN_LIMIT_MS;
	while (addressIn() === undefined) {
		if (performance.now() > deadline) throw new Error("The server did not open its inspector.");
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	const socket = new WebSocket(addressIn() ?? "", { maxPayload: 0 });
	await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
	let asked = 0;
	return {
		ask<T>(method: string, params: object = {}): Promise<T> {
			asked += 1;
			const id = asked;
			return new Promise((resolve) => {
				socket.on("message", function heard(raw) {
					const answer: { id?: number; result: T } = JSON.parse(String(raw));
					if (answer.id !== id) return;
					socket.off("message", heard);
					resolve(answer.result);
				});
				socket.send(JSON.stringify({ id, method, params }));
			});
		},
		close: () => socket.terminate(),
	};
}

/** Microseconds of CPU of each thread so far, oldest thread first, as the kernel lists them: their numbers begin anew at some point. Empty where there is no /proc. */
function threadTimes(pid: number): Map<number, number> {
	const times = new Map<number, number>();
	if (process.platform !== "linux") return times;
	// Not with readdir, which sorts.
	const folder = opendirSync(`/proc/${pid}/task`);
	for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
		times.set(Number(entry.name), timeOf(pid, Number(entry.name)));
	folder.closeSync();
	return times;
}

function timeOf(pid: number, thread: number): number {
	try {
		return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1_000;
	} catch {
		// It ended meanwhile.
		return 0;
	}
}

/** Node starts the threads of V8's platform, one for delayed tasks and four that work, right after the first. Of the others the one that syncs is the busiest. */
const V8_THREADS = 5;

function byThread(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>) {
	const [main = 0, ...rest] = [...after].map(([thread, us]) => Math.max(0, us - (before.get(thread) ?? 0)));
	const sum = (values: readonly number[]) => values.reduce((total, us) => total + us, 0);
	const [sync = 0, ...others] = rest.slice(V8_THREADS).sort((a, b) => b - a);
	return { main, ofV8: sum(rest.slice(0, V8_THREADS)), sync, others: sum(others) };
}
