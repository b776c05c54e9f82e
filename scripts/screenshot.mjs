import { requireSupportedNode } from "./lib/node-version.mjs";

requireSupportedNode();

const { runScript, Trouble } = await import("./lib/progress.mjs");
await runScript(async () => {
	const { ensureInstalled } = await import("./lib/install.mjs");
	const { ensureBuilt } = await import("./lib/build.mjs");
	const { ensureBrowser } = await import("./lib/browser.mjs");
	const { run } = await import("./lib/run.mjs");
	const installed = ensureInstalled("all");
	await installed;
	await ensureBuilt();
	const env = { ...process.env, CHROMIUM_PATH: await ensureBrowser(installed) };
	const { code } = await run(process.execPath, ["--import", "tsx", "test/support/take-screenshots.ts"], { env, show: true });
	if (code !== 0) throw new Trouble("The pictures could not be taken.");
});
