import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Benchmark } from "./support/benchmark.ts";
import { createPairs } from "./support/pairs.ts";
import { treeRssMb } from "./support/processes.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";

const ROOT = join(import.meta.dirname, "..");
const HELLO = `require("node:http").createServer((_, r) => r.end("hello")).listen(0, "127.0.0.1", () => console.log("ready"))`;
const SETTLE_MS = 3_000;

/** From the start of the program to the line that says it is ready, and the memory it holds when nobody uses it. */
export const benchmark: Benchmark = {
	name: "start-up",
	run: ({ quick }) =>
		withScratch(async (home) => {
			const [time, memory, process] = [createPairs(), createPairs(), createPairs()];
			// The first start may build, and fills Node's cache of compiled code; later ones are what people meet every day.
			await startOurs(join(home, "first"), 0);
			for (let round = 0; round < (quick ? 1 : 10); round += 1) {
				const bare = await start(["-e", HELLO], {}, "ready", quick ? 500 : SETTLE_MS);
				const ours = await startOurs(join(home, String(round)), SETTLE_MS);
				time.limit.push(bare.readyMs);
				time.ours.push(ours.readyMs);
				memory.limit.push(bare.treeMb);
				memory.ours.push(ours.treeMb);
				process.limit.push(bare.ownMb);
				process.ours.push(ours.ownMb);
			}
			return {
				rows: [
					row({ name: "start to ready line, against a bare node http server", unit: "ms", ...time, goal: atMost(450), quick }),
					row({ name: "idle memory of the server process", unit: "MB", ...process, goal: atMost(100), quick }),
					row({ name: "idle memory with its shell process", unit: "MB", ...memory, quick }),
				],
			};
		}),
};

const startOurs = (home: string, settleMs: number) =>
	start(
		[join(ROOT, "scripts/start.mjs")],
		{ RIGHTSEAT_HOME: home, PORT: "0", RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9/v1" },
		"Rightseat is ready",
		settleMs,
	);

interface Started {
	readyMs: number;
	ownMb: number;
	treeMb: number;
}

/** Starts it on a home of its own, waits for the line, lets it settle, weighs it and ends it. */
function start(args: string[], env: NodeJS.ProcessEnv, line: string, settleMs: number): Promise<Started> {
	const begin = performance.now();
	const child = spawn(process.execPath, args, {
		env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const pid = child.pid ?? 0;
	let output = "";
	let found: Started | undefined;
	return new Promise((resolve, reject) => {
		const look = (chunk: Buffer) => {
			output += chunk.toString();
			if (!output.includes(line)) return;
			child.stdout.off("data", look);
			child.stdout.resume();
			const readyMs = performance.now() - begin;
			setTimeout(() => {
				found = { readyMs, ownMb: treeRssMb(pid, false) ?? 0, treeMb: treeRssMb(pid) ?? 0 };
				child.kill("SIGTERM");
			}, settleMs);
		};
		child.stdout.on("data", look);
		child.on("error", reject);
		child.on("close", () => (found === undefined ? reject(new Error(`"${line}" never came:\n${output}`)) : resolve(found)));
	});
}
