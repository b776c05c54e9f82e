import { spawn } from "node:child_process";
import { openSync, renameSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { readUnit } from "./read-unit.mjs";

// Keeps one unit running, as its file says. SIGTERM stops it.

const [unitFile = "", stateFile = ""] = process.argv.slice(2);
const unit = readUnit(unitFile);
const [program = "", ...args] = unit.words;
/** @type {import("node:child_process").ChildProcess | undefined} */
let child;
/** @type {NodeJS.Timeout | undefined} */
let timer;
let stopping = false;

/** @param {string} active @param {string} sub @param {{ result?: string, status?: number, ends?: boolean }} [more] */
function tell(active, sub, { result = "success", status = 0, ends = false } = {}) {
	const pid = active === "active" ? (child?.pid ?? 0) : 0;
	writeFileSync(`${stateFile}.new`, JSON.stringify({ active, sub, pid, result, status, supervisor: ends ? 0 : process.pid }));
	renameSync(`${stateFile}.new`, stateFile);
	if (ends) process.exit(0);
}

function run() {
	const output = openSync(unit.output, "a");
	// What a user's manager has by itself: nothing of the person's shell.
	const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: process.env.HOME, USER: userInfo().username, LANG: "C.UTF-8" };
	child = spawn(program, args, { cwd: unit.cwd, env, stdio: ["ignore", output, output], detached: true });
	child.on("error", () => tell("failed", "failed", { result: "exit-code", status: 203, ends: true }));
	child.on("spawn", () => tell("active", "running"));
	child.on("exit", (code, signal) => {
		if (child?.pid !== undefined) killGroup(child.pid);
		if (stopping || code === 0) tell("inactive", "dead", { ends: true });
		const result = signal === null ? "exit-code" : "signal";
		if (!unit.restarts || unit.neverAfter.includes(code ?? -1)) tell("failed", "failed", { result, status: code ?? 0, ends: true });
		tell("activating", "auto-restart", { result, status: code ?? 0 });
		timer = setTimeout(run, unit.restartMs);
	});
}

/** `KillMode=mixed`: what is left gets no time. @param {number} pid */
function killGroup(pid) {
	try {
		process.kill(-pid, "SIGKILL");
	} catch {
		// Nothing is left.
	}
}

process.on("SIGTERM", () => {
	stopping = true;
	clearTimeout(timer);
	if (child === undefined || child.exitCode !== null || child.signalCode !== null) tell("inactive", "dead", { ends: true });
	child?.kill("SIGTERM");
	setTimeout(() => child?.kill("SIGKILL"), unit.stopMs);
});
run();
