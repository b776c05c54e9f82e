import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStandInAccount } from "../stand-in-systemd/stand-in-systemd.ts";

const LIMIT_MS = 120_000;
const AGENT = join(import.meta.dirname, "..", "acp-agent", "agent.mjs");

/** An account of somebody who follows a guide: `rightseat`, `npx rightseat` and an agent are on its PATH, a repository is where it works. */
export interface GuideAccount {
	readonly userHome: string;
	readonly cwd: string;
	/** Runs a block to its end, as if each line were typed; the first that fails ends it. `typed` is what is asked for meanwhile. */
	run(text: string, typed?: string): Promise<Ended>;
	/** Runs a block in a home of its own until what it starts is ready, then ends it. Gives how it ended. */
	start(text: string): Promise<Ended>;
	/** Stops the service in order, so that nothing of it writes any more, and removes everything. */
	close(): Promise<void>;
}

export interface Ended {
	exit: number | string;
	output: string;
}

export function createGuideAccount(env: NodeJS.ProcessEnv): GuideAccount {
	const account = createStandInAccount();
	const { bin, cwd, userHome } = account;
	program(bin, "rightseat", `exec "${process.execPath}" ${account.program.map((word) => `"${word}"`).join(" ")} "$@"`);
	program(bin, "npx", '[ "$1" = rightseat ] || exit 97; shift; exec rightseat "$@"');
	program(bin, "opencode", `exec "${process.execPath}" "${AGENT}"`);
	makeRepository(cwd);
	const environment = (more: NodeJS.ProcessEnv = {}) => account.environment({ ...env, ...more });
	return {
		userHome,
		cwd,
		run: (text, typed = "") => bash(text, { cwd, env: environment(), typed }).ended,
		async start(text) {
			const home = mkdtempSync(join(tmpdir(), "rightseat-guide-"));
			mkdirSync(join(home, "work"));
			const { child, output, ended } = bash(text, { cwd: join(home, "work"), env: environment({ HOME: home }), typed: "" });
			const ready = new Promise<void>((resolve) => {
				child.stdout?.on("data", () => /^Rightseat is ready on /m.test(output()) && resolve());
			});
			await Promise.race([ready, ended]);
			killGroup(child, "SIGTERM");
			const end = await ended;
			rmSync(home, { recursive: true, force: true, maxRetries: 5 });
			return end;
		},
		async close() {
			await bash("systemctl --user stop rightseat.service", { cwd, env: environment(), typed: "" }).ended;
			account.close();
		},
	};
}

/** In a process group of its own, so that whatever it started ends with it. */
function bash(text: string, { typed, ...options }: { cwd: string; env: NodeJS.ProcessEnv; typed: string }) {
	const child = spawn("bash", ["--norc", "-euo", "pipefail", "-c", text], { ...options, stdio: ["pipe", "pipe", "pipe"], detached: true });
	const killWithUs = () => killGroup(child, "SIGKILL");
	process.once("exit", killWithUs);
	const timer = setTimeout(killWithUs, LIMIT_MS);
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding("utf8").on("data", (part: string) => {
			output += part;
		});
	child.stdin.on("error", () => undefined);
	child.stdin.end(typed);
	const ended = new Promise<Ended>((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (code, signal) => {
			clearTimeout(timer);
			process.off("exit", killWithUs);
			resolve({ exit: code ?? signal ?? "unknown", output });
		});
	});
	return { child, ended, output: () => output };
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
	try {
		if (pid !== undefined) process.kill(-pid, signal);
	} catch {
		// It has ended.
	}
}

function program(bin: string, name: string, text: string): void {
	writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
	chmodSync(join(bin, name), 0o755);
}

/** With a commit, and something that is not committed. */
function makeRepository(cwd: string): void {
	const git = (...given: string[]) => execFileSync("git", given, { cwd });
	git("init", "-q", "-b", "main");
	writeFileSync(join(cwd, "README.md"), "# A project\n");
	git("add", "-A");
	git("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-q", "-m", "begin");
	writeFileSync(join(cwd, "README.md"), "# A project\n\nWith a second line.\n");
}
