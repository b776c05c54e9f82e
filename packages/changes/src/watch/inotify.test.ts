import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

test.runIf(process.platform === "linux")("[CH482] a thread that lets its watcher go says nothing about it", async () => {
	const source = JSON.stringify(new URL("./inotify.ts", import.meta.url).href);
	const worker = new Worker(
		`const { parentPort } = require("node:worker_threads");
		const { readdirSync, readlinkSync } = require("node:fs");
		const warnings = [];
		process.on("warning", ({ message }) => warnings.push(message));
		const linkOf = (name) => { try { return readlinkSync("/proc/self/fd/" + name); } catch { return ""; } };
		const queues = () => readdirSync("/proc/self/fd").filter((name) => linkOf(name).includes("inotify")).length;
		import("tsx/esm/api").then(async ({ register }) => {
			register();
			const { createInotify } = await import(${source});
			const before = queues();
			const watcher = await createInotify();
			const during = queues();
			watcher.close();
			const after = queues();
			setTimeout(() => parentPort.postMessage({ warnings, opened: during - before, left: after - before }), 20);
		});`,
		{ eval: true },
	);
	const told = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
	await worker.terminate();
	expect(told).toEqual({ warnings: [], opened: 1, left: 0 });
});
