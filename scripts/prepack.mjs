import { requireSupportedNode } from "./lib/node-version.mjs";

requireSupportedNode();

// `npm pack` runs this first. Nothing that is committed is written, so that an interrupted pack leaves the checkout as it was.
const { runScript } = await import("./lib/progress.mjs");
await runScript(async () => {
	const { ensureInstalled } = await import("./lib/install.mjs");
	const { ensureBuilt } = await import("./lib/build.mjs");
	const { writePackageFiles } = await import("./lib/package-files.mjs");
	// What npm pack was told is not meant for the npm that installs.
	for (const name of Object.keys(process.env))
		if (/^npm_config_(?:dry_run|json|ignore_scripts|pack_destination|workspaces?|global|prefix|local_prefix|omit|include)$/i.test(name))
			delete process.env[name];
	await ensureInstalled("run");
	await ensureBuilt();
	writePackageFiles();
});
