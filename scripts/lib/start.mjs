import { pathToFileURL } from "node:url";
import { ensureBuilt } from "./build.mjs";
import { enableCompileCache } from "./compile-cache.mjs";
import { ensureInstalled } from "./install.mjs";
import { SERVER_MAIN } from "./places.mjs";

/** Installs what is missing, builds what is stale, then becomes the server: signals and exit code are its own. */
export async function start() {
	await ensureInstalled("run");
	await ensureBuilt();
	// npm moves to the checkout before it runs a script; the person was somewhere else.
	const from = process.env.npm_lifecycle_event === "start" ? process.env.INIT_CWD : undefined;
	if (from !== undefined) process.chdir(from);
	enableCompileCache();
	await import(pathToFileURL(SERVER_MAIN).href);
}
