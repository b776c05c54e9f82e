import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
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
		});
		// At once: what it starts, threads included, has the priority that it has itself by then.
		if (options.aside && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
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

/** Runs a JavaScript program with this Node. @param {string} script @param {string[]} args @param {RunOptions} [options] */
export const runNode = (script, args, options) => run(process.execPath, [script, ...args], options);

/** Runs npm: the one that started us, else the one that came with this Node, else the one in PATH. @param {string[]} args @param {RunOptions} [options] */
export function runNpm(args, options) {
	const own = join(dirname(process.execPath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js");
	const npm = process.env.npm_execpath?.endsWith("npm-cli.js") ? process.env.npm_execpath : own;
	return existsSync(npm) ? runNode(npm, args, options) : run("npm", args, options);
}
