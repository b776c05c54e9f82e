import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./places.mjs";

/** Output kept of a program that is run quietly: its end, which is where programs say what went wrong. */
const MAX_KEPT_CHARS = 200_000;

/**
 * @typedef {{ code: number, output: string, timedOut: boolean }} Finished
 * `aside`: only while the machine has nothing else to do.
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, timeoutMs?: number, aside?: boolean }} RunOptions
 */

/**
 * Runs a program to its end. With `show` its output goes to the terminal, otherwise it is kept.
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Finished>}
 */
export function run(file, args, options = {}) {
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, {
			cwd: options.cwd ?? ROOT,
			env: options.env ?? process.env,
			stdio: ["ignore", options.show ? "inherit" : "pipe", options.show ? "inherit" : "pipe"],
			// npm and npx are command files on Windows, which only a shell starts.
			shell: process.platform === "win32" && !file.endsWith(".exe"),
			detached: options.aside === true && process.platform === "linux",
		});
		// At once: what it starts, threads included, has the priority that it has itself by then.
		if (options.aside && child.pid !== undefined) putAside(child.pid);
		let output = "";
		let timedOut = false;
		/** @param {Buffer} chunk */
		const keep = (chunk) => {
			output = (output + chunk.toString()).slice(-MAX_KEPT_CHARS);
		};
		child.stdout?.on("data", keep);
		child.stderr?.on("data", keep);
		const timer =
			options.timeoutMs === undefined
				? undefined
				: setTimeout(() => {
						timedOut = true;
						child.kill("SIGKILL");
					}, options.timeoutMs);
		/** @param {NodeJS.Signals} signal */
		const passOn = (signal) => child.kill(signal);
		// As many listeners as programs, and a run of the tests has a dozen at once: no leak to be warned of.
		process.setMaxListeners(0);
		process.on("SIGINT", passOn);
		process.on("SIGTERM", passOn);
		const settled = () => {
			clearTimeout(timer);
			process.off("SIGINT", passOn);
			process.off("SIGTERM", passOn);
		};
		child.on("error", (error) => {
			settled();
			reject(error);
		});
		child.on("close", (code, signal) => {
			settled();
			resolve({ code: code ?? (signal === "SIGINT" ? 130 : 1), output, timedOut });
		});
	});
}

/**
 * Linux shares the cores between sessions first and by priority only within one, so a browser, which has a session of its own, would give half of them to what runs beside it in ours, however low its priority.
 * @param {number} pid leads a session of its own, where there are such groups
 */
function putAside(pid) {
	setPriority(pid, constants.priority.PRIORITY_LOW);
	const group = `/proc/${pid}/autogroup`;
	if (!existsSync(group)) return;
	try {
		writeFileSync(group, String(constants.priority.PRIORITY_LOW));
	} catch {
		// Only root may say so more than ten times a second; a check that is not put aside as far is slower for others, and no failure.
	}
}

/** Runs a JavaScript program with this Node. @param {string} script @param {string[]} args @param {RunOptions} [options] */
export const runNode = (script, args, options) => run(process.execPath, [script, ...args], options);

/** Runs npm: the one that started us, else the one that came with this Node, else the one in PATH. @param {string[]} args @param {RunOptions} [options] */
export function runNpm(args, options) {
	const own = join(dirname(process.execPath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js");
	const npm = process.env.npm_execpath?.endsWith("npm-cli.js") ? process.env.npm_execpath : own;
	return existsSync(npm) ? runNode(npm, args, options) : run("npm", args, options);
}
