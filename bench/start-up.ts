import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Benchmark } from "./support/benchmark.ts";
import { row } from "./support/benchmark.ts";

const ROOT = join(import.meta.dirname, "..");
const HELLO = `require("node:http").createServer((_, r) => r.end("hello")).listen(0, "127.0.0.1", () => console.log("ready"))`;

/** From the start of the program to the line that says it is ready. */
export const benchmark: Benchmark = {
	name: "start-up",
	async run({ quick }) {
		const rounds = quick ? 3 : 10;
		const ours: number[] = [];
		const limit: number[] = [];
		for (let round = 0; round < rounds; round += 1) {
			limit.push(await timeToLine(["-e", HELLO], {}, "ready"));
			ours.push(await timeOfServer());
		}
		return [row({ name: "start to ready line, against a bare node http server", unit: "ms", ours, limit, goal: 20 })];
	},
};

async function timeOfServer(): Promise<number> {
	const home = mkdtempSync(join(tmpdir(), "rightseat-bench-"));
	try {
		return await timeToLine([join(ROOT, "scripts/start.mjs")], { RIGHTSEAT_HOME: home, PORT: "0" }, "Rightseat is ready");
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
}

function timeToLine(args: string[], env: NodeJS.ProcessEnv, text: string): Promise<number> {
	return new Promise((resolve, reject) => {
		const startedAt = performance.now();
		const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
		let output = "";
		let found: number | undefined;
		child.stdout.on("data", (chunk: Buffer) => {
			output += chunk.toString();
			if (found !== undefined || !output.includes(text)) return;
			found = performance.now() - startedAt;
			child.kill("SIGTERM");
		});
		child.on("error", reject);
		child.on("close", () => (found === undefined ? reject(new Error(`"${text}" never came:\n${output}`)) : resolve(found)));
	});
}
