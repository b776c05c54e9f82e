#!/usr/bin/env node
import { requireSupportedNode } from "./lib/node-version.mjs";

requireSupportedNode();

const { runScript } = await import("./lib/progress.mjs");
await runScript(async () => {
	const { ensureInstalled } = await import("./lib/install.mjs");
	const { ensureBuilt } = await import("./lib/build.mjs");
	const { SERVER_MAIN } = await import("./lib/places.mjs");
	const { pathToFileURL } = await import("node:url");
	await ensureInstalled("run");
	await ensureBuilt();
	await import(pathToFileURL(SERVER_MAIN).href);
});
