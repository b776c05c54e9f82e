import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { toolPath } from "./places.mjs";
import { Trouble, withProgress } from "./progress.mjs";
import { run, runNode } from "./run.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const SHELL_NAMES = ["chromium-headless-shell", "chrome-headless-shell"];
const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** A Chromium on this machine: the one CHROMIUM_PATH names, else one that is installed. @returns {string | undefined} */
export function findBrowser() {
	const named = process.env.CHROMIUM_PATH;
	if (named !== undefined && named !== "") return named;
	return findInPath(NAMES) ?? (isProgram(MAC_CHROME) ? MAC_CHROME : undefined);
}

/**
 * Chromium's engine without the window around it, if it is installed: the same page for two thirds of the work. It has no notifications.
 * Whoever names a Chromium wants that one.
 * @returns {string | undefined}
 */
export function findHeadlessShell() {
	const named = process.env.CHROMIUM_SHELL_PATH;
	if (named !== undefined && named !== "") return named;
	return process.env.CHROMIUM_PATH === undefined ? findInPath(SHELL_NAMES) : undefined;
}

/** The programs as the tests are told of them. @param {string} browser @returns {NodeJS.ProcessEnv} */
export function browserEnv(browser) {
	const shell = findHeadlessShell();
	return { CHROMIUM_PATH: browser, ...(shell === undefined ? {} : { CHROMIUM_SHELL_PATH: shell }) };
}

/**
 * Finds a Chromium or brings one: the distribution's package, else Playwright's download, which needs the test tools.
 * @param {Promise<void>} installed settled when the test tools are there
 * @returns {Promise<string>}
 */
export async function ensureBrowser(installed) {
	const found = findBrowser() ?? (await findDownloaded());
	if (found !== undefined) return found;
	if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
		await withProgress("Installing Chromium for the browser tests (Debian package)", async () => {
			const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
			await run("apt-get", ["update", "-qq"], { env });
			const install = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
			const { code } = await run("apt-get", [...install, "chromium-headless-shell"], { env });
			// Older releases have no package of the shell.
			if (code !== 0) await run("apt-get", install, { env });
		});
		const installed = findBrowser();
		if (installed !== undefined) return installed;
	}
	await installed;
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

/** @param {string[]} names @returns {string | undefined} */
function findInPath(names) {
	for (const folder of (process.env.PATH ?? "").split(delimiter)) {
		for (const name of names) if (folder !== "" && isProgram(join(folder, name))) return join(folder, name);
	}
	return undefined;
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
