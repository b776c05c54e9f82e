import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** A command may wait a minute for a server that this machine starts slowly. */
const LIMIT_MS = 150_000;

/** A person's account on a machine with a stand-in for systemd: `systemctl --user` and `loginctl` are on its PATH. */
export interface StandInAccount {
	readonly userHome: string;
	readonly home: string;
	/** Where it began: not in the home. */
	readonly cwd: string;
	readonly unitFile: string;
	/** First on its PATH. */
	readonly bin: string;
	/** What a program is started with there. */
	environment(env?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
	/** What stands after `node` to run `rightseat`. */
	readonly program: readonly string[];
	/** Runs `rightseat` to its end. */
	rightseat(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<{ exit: number | string; stdout: string; stderr: string }>;
	/** Starts `rightseat` with a command that does not end by itself. */
	follow(args: readonly string[]): { until(pattern: RegExp): Promise<string>; interrupt(): Promise<number | string> };
	/** What `systemctl show` says of the service. */
	state(): { active: string; pid: number };
	/** Ends whatever still runs, and removes everything. */
	close(): void;
}

export function createStandInAccount(): StandInAccount {
	const userHome = mkdtempSync(join(tmpdir(), "rightseat-account-"));
	const place = (...names: string[]) => join(userHome, ...names);
	const [bin, cwd, runtime, config] = [place("bin"), place("project"), place("run"), place(".config")];
	for (const folder of [bin, cwd, runtime, config]) mkdirSync(folder);
	script(join(bin, "systemctl"), `exec "${process.execPath}" "${join(import.meta.dirname, "systemctl.mjs")}" "$@"`);
	script(
		join(bin, "loginctl"),
		`case "$1" in show-user) [ -e "${place("linger")}" ] && echo yes || echo no;; enable-linger) : > "${place("linger")}";; esac`,
	);
	const base = { HOME: userHome, XDG_RUNTIME_DIR: runtime, XDG_CONFIG_HOME: config, TMPDIR: tmpdir(), LANG: "C.UTF-8", PORT: "0" };
	const environment = (env: NodeJS.ProcessEnv = {}) => ({ ...base, PATH: `${bin}:${process.env.PATH}`, ...env });
	const states = join(runtime, "stand-in");
	const readState = (name: string): { active: string; pid: number; supervisor: number } =>
		JSON.parse(readFileSync(join(states, name), "utf8"));
	return {
		userHome,
		home: place(".rightseat"),
		cwd,
		bin,
		environment,
		program: entry(),
		unitFile: place(".config", "systemd", "user", "rightseat.service"),
		rightseat: (args, env) => runToEnd([...entry(), ...args], { cwd, env: environment(env) }),
		follow: (args) => follow([...entry(), ...args], { cwd, env: environment() }),
		state: () => readState("rightseat.service.json"),
		close() {
			const names = readdirSync(runtime).includes("stand-in") ? readdirSync(states) : [];
			for (const name of names.filter((each) => each.endsWith(".json"))) {
				const { supervisor, pid } = readState(name);
				for (const each of [supervisor, pid]) if (each > 0) kill(each);
			}
			rmSync(userHome, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

function script(file: string, text: string): void {
	writeFileSync(file, `#!/bin/sh\n${text}\n`);
	chmodSync(file, 0o755);
}

function kill(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// It has ended.
	}
}

function entry(): string[] {
	if (process.env.RIGHTSEAT_TEST_BUILT === "1") return [join(ROOT, "packages/server/dist/main.js")];
	return ["--import", pathToFileURL(join(ROOT, "node_modules/tsx/dist/loader.mjs")).href, join(ROOT, "packages/server/src/app/main.ts")];
}

function runToEnd(args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
	return new Promise<{ exit: number | string; stdout: string; stderr: string }>((resolve, reject) => {
		const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: LIMIT_MS });
		let [stdout, stderr] = ["", ""];
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			stdout += text;
		});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			stderr += text;
		});
		child.on("error", reject);
		child.on("close", (code, signal) => resolve({ exit: code ?? signal ?? "unknown", stdout, stderr }));
	});
}

function follow(args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
	const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "inherit"], timeout: LIMIT_MS });
	const exited = new Promise<number | string>((resolve) => child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown")));
	let stdout = "";
	const looks = new Set<() => void>();
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		stdout += text;
		for (const look of [...looks]) look();
	});
	return {
		until: (pattern: RegExp) =>
			new Promise<string>((resolve, reject) => {
				const look = () => {
					if (!pattern.test(stdout)) return;
					looks.delete(look);
					resolve(stdout);
				};
				looks.add(look);
				look();
				void exited.then((exit) => reject(new Error(`Ended with ${exit} before ${pattern}.\n${stdout}`)));
			}),
		interrupt() {
			child.kill("SIGINT");
			return exited;
		},
	};
}
