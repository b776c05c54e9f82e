import { requireSupportedNode } from "./lib/node-version.mjs";

requireSupportedNode();

/** Which program takes which pictures of the README. */
const PROGRAMS = new Map([
	[undefined, "test/support/take-screenshots.ts"],
	["film", "test/support/film/take-film.ts"],
]);

const { runScript, Trouble } = await import("./lib/progress.mjs");
await runScript(async () => {
	const program = PROGRAMS.get(process.argv[2]);
	if (program === undefined) throw new Trouble("There are: npm run screenshot, npm run film.");
	const { ensureInstalled } = await import("./lib/install.mjs");
	const { ensureBuilt } = await import("./lib/build.mjs");
	const { ensureBrowser } = await import("./lib/browser.mjs");
	const { run } = await import("./lib/run.mjs");
	const installed = ensureInstalled("all");
	await installed;
	await ensureBuilt();
	const env = { ...process.env, CHROMIUM_PATH: await ensureBrowser(installed) };
	const { code } = await run(process.execPath, ["--import", "tsx", program], { env, show: true });
	if (code !== 0) throw new Trouble("The pictures could not be taken.");
});
