#!/usr/bin/env node
import { requireSupportedNode } from "./lib/node-version.mjs";

requireSupportedNode();

// The same in a checkout and in an installed package: everything that is missing is brought first, then this process is the program.
const { runScript } = await import("./lib/progress.mjs");
await runScript(async () => {
	const { pathToFileURL } = await import("node:url");
	const { CLI_MAIN, IS_CHECKOUT, SERVER_MAIN } = await import("./lib/places.mjs");
	const args = process.argv.slice(2);
	const { existsSync } = await import("node:fs");
	// A client of a running server, which may be of another version anyway: what was built last is good enough, and there at once.
	if (isClientCommand(args[0]) && existsSync(CLI_MAIN)) return await start(CLI_MAIN);
	if (IS_CHECKOUT) {
		const { ensureInstalled } = await import("./lib/install.mjs");
		const { ensureBuilt } = await import("./lib/build.mjs");
		await ensureInstalled("run");
		await ensureBuilt();
	} else {
		const { useFetchedRuntime } = await import("./lib/runtime-package.mjs");
		await useFetchedRuntime({ fetch: needsRuntime(args), check: () => refuseWrongArguments(args) });
	}
	return await start(SERVER_MAIN);

	/** @param {string} program */
	async function start(program) {
		const { enableCompileCache } = await import("./lib/compile-cache.mjs");
		enableCompileCache();
		await import(pathToFileURL(program).href);
	}
});

/** @param {string | undefined} name */
function isClientCommand(name) {
	return name !== undefined && ["ask", "attach", "ls", "tail", "mcp", "schedules", "stop"].includes(name);
}

/** Nobody waits for the runtime to be told that a flag is misspelt. @param {string[]} args */
async function refuseWrongArguments(args) {
	const { pathToFileURL } = await import("node:url");
	const { CHECK_START } = await import("./lib/places.mjs");
	const { Trouble } = await import("./lib/progress.mjs");
	const { checkStart } = await import(pathToFileURL(CHECK_START).href);
	const problem = checkStart(args, process.env, process.cwd());
	if (problem !== undefined) throw new Trouble(problem, 2);
}

/** Commands against a running server, help and the like need no runtime. @param {string[]} args */
function needsRuntime([first = "start", ...rest]) {
	if (first === "prepare") return rest.length === 0;
	// A service starts with it; who installs one sees the fetching.
	if (first === "service")
		return rest[0] === "run" || (rest[0] === "install" && !rest.some((arg) => /^(?:--help|-h|--dry-run)$/.test(arg)));
	return (first === "start" || first.startsWith("-")) && ![first, ...rest].some((arg) => /^(?:--help|-h|--version|-v)$/.test(arg));
}
