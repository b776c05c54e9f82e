import { requireSupportedNode } from "./lib/node-version.mjs";

requireSupportedNode();

// Everything else is loaded only after the check: an older Node may not even parse it.
const { runScript } = await import("./lib/progress.mjs");
await runScript(async () => {
	const { start } = await import("./lib/start.mjs");
	await start();
});
