import { requireSupportedNode } from "./lib/node-version.mjs";

requireSupportedNode();

const { runScript, Trouble } = await import("./lib/progress.mjs");
await runScript(async () => {
	const { ensureInstalled } = await import("./lib/install.mjs");
	const { ensureBuilt } = await import("./lib/build.mjs");
	const { ROOT } = await import("./lib/places.mjs");
	const { run } = await import("./lib/run.mjs");
	await ensureInstalled("all");
	await ensureBuilt();
	const { ensureNatsServer } = await import("./lib/nats-server.mjs");
	await ensureNatsServer();
	const { code } = await run(process.execPath, ["--import", "tsx", "bench/support/run-benchmarks.ts", ...process.argv.slice(2)], {
		cwd: ROOT,
		show: true,
	});
	// Its usage was told already.
	if (code === 2) process.exitCode = code;
	else if (code !== 0) throw new Trouble("A benchmark missed its goal or failed.");
});
