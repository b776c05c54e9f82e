import { requireSupportedNode } from "./node-version.mjs";

/**
 * Installs and builds what is missing, then runs one of the project's TypeScript programs.
 * @param {string} program path from the root
 * @param {string[]} args
 * @param {string} failure what its failure means, for people
 */
export async function runTool(program, args, failure) {
	requireSupportedNode();
	const { runScript, Trouble } = await import("./progress.mjs");
	await runScript(async () => {
		const { ensureInstalled } = await import("./install.mjs");
		const { ensureBuilt } = await import("./build.mjs");
		const { ROOT } = await import("./places.mjs");
		const { run } = await import("./run.mjs");
		await ensureInstalled("all");
		await ensureBuilt();
		const env = { ...process.env, RIGHTSEAT_TEST_BUILT: "1" };
		const { code } = await run(process.execPath, ["--import", "tsx", program, ...args], { cwd: ROOT, show: true, env });
		// Its arguments were not understood, and it has said so; nothing was broken.
		if (code === 2) process.exitCode = code;
		else if (code !== 0) throw new Trouble(failure);
	});
}
