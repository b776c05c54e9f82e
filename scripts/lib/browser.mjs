import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { toolPath } from "./places.mjs";
import { Trouble, withProgress } from "./progress.mjs";
import { run, runNode } from "./run.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** A Chromium on this machine: the one CHROMIUM_PATH names, else one that is installed. @returns {string | undefined} */
export function findBrowser() {
	const named = process.env.CHROMIUM_PATH;
	if (named !== undefined && named !== "") return named;
	for (const folder of (process.env.PATH ?? "").split(delimiter)) {
		for (const name of NAMES) if (folder !== "" && isProgram(join(folder, name))) return join(folder, name);
	}
	return isProgram(MAC_CHROME) ? MAC_CHROME : undefined;
}

/** Finds a Chromium or brings one: the distribution's package, else Playwright's download. @returns {Promise<string>} */
export async function ensureBrowser() {
	const found = findBrowser() ?? (await findDownloaded());
	if (found !== undefined) return found;
	if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
		await withProgress("Installing Chromium for the browser tests (Debian package)", async () => {
			const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
			await run("apt-get", ["update", "-qq"], { env });
			await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { env });
		});
		const installed = findBrowser();
		if (installed !== undefined) return installed;
	}
	await withProgress("Downloading Chromium for the browser tests", () =>
		runNode(toolPath("playwright-core", "cli.js"), ["install", "chromium"]),
	);
	const downloaded = await findDownloaded();
	if (downloaded !== undefined) return downloaded;
	throw new Trouble("No Chromium for the browser tests. Install Chromium or Chrome, or set CHROMIUM_PATH to one.");
}

/** @returns {Promise<string | undefined>} */
async function findDownloaded() {
	const { code, output } = await run(process.execPath, ["-p", "require('playwright-core').chromium.executablePath()"]);
	const path = output.trim();
	return code === 0 && isProgram(path) ? path : undefined;
}

/** @param {string} path */
function isProgram(path) {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		// Missing and not executable are the same here.
		return false;
	}
}
