import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

// `systemctl --user` for machines without a systemd: what it starts and ends are real processes, as the unit says.

const runtime = join(process.env.XDG_RUNTIME_DIR ?? "", "stand-in");
const units = join(process.env.XDG_CONFIG_HOME ?? "", "systemd", "user");
const wants = join(units, "default.target.wants");
mkdirSync(runtime, { recursive: true });

const [user, command, ...rest] = process.argv.slice(2);
const options = rest.filter((word) => word.startsWith("--"));
const unit = rest.find((word) => !word.startsWith("--")) ?? "";
/** As it was when it was loaded: a change counts after `daemon-reload` only. */
const loaded = join(runtime, unit);
const stateFile = `${loaded}.json`;

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
	process.stderr.write(`${sentence}\n`);
	process.exit(1);
}

/** @returns {{ active: string, sub: string, pid: number, result: string, status: number, supervisor: number }} */
function state() {
	if (!existsSync(stateFile)) return { active: "inactive", sub: "dead", pid: 0, result: "success", status: 0, supervisor: 0 };
	return JSON.parse(readFileSync(stateFile, "utf8"));
}

function load() {
	if (existsSync(loaded)) return;
	const file = join(units, unit);
	if (!existsSync(file)) refuse(`Failed to start ${unit}: Unit ${unit} not found.`);
	copyFileSync(file, loaded);
}

async function start() {
	load();
	if (state().supervisor !== 0) return;
	writeFileSync(`${stateFile}.new`, JSON.stringify({ ...state(), active: "activating", sub: "start", supervisor: -1 }));
	renameSync(`${stateFile}.new`, stateFile);
	const supervise = join(import.meta.dirname, "supervise.mjs");
	spawn(process.execPath, [supervise, loaded, stateFile], { detached: true, stdio: "ignore" }).unref();
	while (state().active === "activating" && state().sub === "start") await sleep(20);
	if (state().active === "failed") refuse(`Job for ${unit} failed.`);
}

async function stop() {
	const { supervisor } = state();
	if (supervisor <= 0) return;
	process.kill(supervisor, "SIGTERM");
	while (state().supervisor !== 0) await sleep(20);
}

function show() {
	if (unit === "") {
		process.stdout.write(`Version=${process.env.STAND_IN_VERSION ?? "255"}\n`);
		return;
	}
	const isThere = existsSync(loaded) || existsSync(join(units, unit));
	const { active, sub, pid, result, status } = state();
	const fields = { LoadState: isThere ? "loaded" : "not-found", ActiveState: active, SubState: sub, MainPID: pid, Result: result };
	for (const [name, value] of Object.entries({ ...fields, ExecMainStatus: status })) process.stdout.write(`${name}=${value}\n`);
}

if (user !== "--user") refuse("Only for users.");
switch (command) {
	case "show":
		show();
		break;
	case "daemon-reload":
		for (const name of readdirSync(runtime)) if (name.endsWith(".service")) rmSync(join(runtime, name));
		break;
	case "enable":
		if (!existsSync(join(units, unit))) refuse(`Failed to enable unit: Unit file ${unit} does not exist.`);
		mkdirSync(wants, { recursive: true });
		if (!existsSync(join(wants, unit))) symlinkSync(join(units, unit), join(wants, unit));
		break;
	case "disable":
		rmSync(join(wants, unit), { force: true });
		if (options.includes("--now")) await stop();
		break;
	case "start":
		await start();
		break;
	case "stop":
		await stop();
		break;
	case "restart":
		await stop();
		await start();
		break;
	case "reset-failed":
		rmSync(stateFile, { force: true });
		break;
	default:
		refuse(`Unknown command verb ${command}.`);
}
