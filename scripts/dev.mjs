import { spawn } from "node:child_process";
import { requireSupportedNode } from "./lib/node-version.mjs";

requireSupportedNode();

const PAGE_PORT = 5173;

const { runScript } = await import("./lib/progress.mjs");
await runScript(async () => {
	const { ensureInstalled } = await import("./lib/install.mjs");
	const { ROOT, toolPath } = await import("./lib/places.mjs");
	await ensureInstalled("all");

	const port = process.env.PORT ?? "7417";
	// The page comes from Vite, so that is the address the server must accept and print.
	const env = { RIGHTSEAT_PUBLIC_URL: `http://127.0.0.1:${PAGE_PORT}`, ...process.env, PORT: port, RIGHTSEAT_DEV_PORT: port };
	const server = [
		toolPath("tsx", "dist/cli.mjs"),
		"watch",
		"--clear-screen=false",
		"packages/server/src/app/main.ts",
		...process.argv.slice(2),
	];
	const page = [toolPath("vite", "bin/vite.js"), "packages/web", "--host", "127.0.0.1", "--port", String(PAGE_PORT), "--strictPort"];
	const children = [server, page].map((args) => spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "inherit", "inherit"] }));

	/** @param {NodeJS.Signals} signal */
	const stop = (signal) => {
		for (const child of children) child.kill(signal);
	};
	process.on("SIGINT", stop);
	process.on("SIGTERM", stop);
	for (const child of children) child.on("exit", () => stop("SIGTERM"));
});
