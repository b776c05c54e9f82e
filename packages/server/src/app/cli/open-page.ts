import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Logger } from "../../core/kernel/logger.ts";

/** Opens the login link in the person's browser. */
export interface OpenPage {
	show(loginUrl: string): void;
	/** The code in it is spent. */
	remove(): void;
}

/**
 * Arguments of a process can be read by every user of the machine, so the browser is given a file that only its owner can read, and the
 * file leads on to the link.
 */
export function createOpenPage(
	home: string,
	logger: Logger,
	launch: (file: string, onError: (error: Error) => void) => void = launchBrowser,
): OpenPage {
	const file = join(home, "open-login.html");
	const remove = () => rmSync(file, { force: true });
	// One that a killed server left behind leads nowhere: its code died with it.
	remove();
	return {
		remove,
		show(loginUrl) {
			writeFileSync(file, pageFor(loginUrl), { mode: 0o600, flag: "wx" });
			launch(pathToFileURL(file).href, (error) => logger.warn({ err: error }, "Could not open a browser; use the link above"));
		},
	};
}

function pageFor(loginUrl: string): string {
	const address = loginUrl.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
	return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Rightseat</title>
<meta http-equiv="refresh" content="0;url=${address}"><p><a href="${address}">Open Rightseat</a></p></html>
`;
}

function launchBrowser(address: string, onError: (error: Error) => void): void {
	const [file, ...args] =
		process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
	const child = spawn(file ?? "xdg-open", [...args, address], { stdio: "ignore", detached: true });
	child.on("error", onError);
	child.unref();
}
