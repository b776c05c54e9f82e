import { spawn } from "node:child_process";
import { FIXED_ENVIRONMENT, isSecret } from "./child-env.ts";

export interface LoginEnvironmentDeps {
	/** What the server passes on. */
	env: Record<string, string>;
	secrets: string[];
	/** Told the process id while it runs. */
	started: Set<number>;
}

/** A profile that hangs must not keep the first command waiting for ever. */
const LOGIN_LIMIT_MS = 10_000;

/** The environment of a fresh command: what the person's login shell sets up, minus what is ours, plus what keeps tools quiet. */
export async function loginEnvironment(deps: LoginEnvironmentDeps, limitMs = LOGIN_LIMIT_MS): Promise<Record<string, string>> {
	const login = await askLoginShell(deps, limitMs);
	const env: Record<string, string> = { ...deps.env };
	for (const [name, value] of Object.entries(login)) {
		if (!isSecret(name, deps.secrets) && !NOT_TAKEN.has(name)) env[name] = value;
	}
	env.PATH = joinPaths(deps.env.PATH ?? "", login.PATH ?? "");
	if (!/utf-?8/i.test(env.LC_ALL ?? env.LC_CTYPE ?? env.LANG ?? "")) env.LANG = "C.UTF-8";
	return { ...env, ...FIXED_ENVIRONMENT };
}

const NOT_TAKEN = new Set(["PWD", "OLDPWD", "SHLVL", "_", "PATH", "PS1", "PROMPT_COMMAND"]);

/** A server that was started from a terminal has the better order already; one started by the system has too little. */
export function joinPaths(own: string, login: string): string {
	const mine = own.split(":").filter(Boolean);
	const theirs = login.split(":").filter(Boolean);
	const ordered = theirs.every((entry) => mine.includes(entry)) ? mine : [...theirs, ...mine];
	return [...new Set(ordered)].join(":") || "/usr/local/bin:/usr/bin:/bin";
}

function askLoginShell(deps: LoginEnvironmentDeps, limitMs: number): Promise<Record<string, string>> {
	return new Promise((resolve) => {
		const shell = deps.env.SHELL ?? "bash";
		const child = spawn(shell, ["-l", "-c", "env -0"], {
			env: { ...deps.env, TERM: "dumb" },
			stdio: ["ignore", "pipe", "ignore"],
			detached: true,
			cwd: "/",
		});
		const pid = child.pid;
		if (pid !== undefined) deps.started.add(pid);
		const chunks: Buffer[] = [];
		let size = 0;
		function finish(found: Record<string, string>): void {
			clearTimeout(timer);
			child.stdout.destroy();
			resolve(found);
		}
		const timer = setTimeout(() => {
			// A profile that is ended by force may leave its locks behind, and then every later terminal of this person waits for them.
			signalGroup(pid, "SIGTERM");
			killTimer = setTimeout(() => signalGroup(pid, "SIGKILL"), KILL_AFTER_MS);
			finish({});
		}, limitMs);
		let killTimer: NodeJS.Timeout | undefined;
		child.stdout.on("data", (chunk: Buffer) => {
			size += chunk.length;
			if (size <= MAX_ENVIRONMENT_BYTES) chunks.push(chunk);
		});
		child.on("error", () => finish({}));
		child.on("exit", (code) => {
			clearTimeout(killTimer);
			if (pid !== undefined) deps.started.delete(pid);
			const done = () => finish(code === 0 ? parse(Buffer.concat(chunks)) : {});
			child.stdout.on("end", done);
			// Something that the profile left running may hold the output open.
			setTimeout(done, DRAIN_MS);
			if (child.stdout.readableEnded) done();
		});
	});
}

const DRAIN_MS = 300;
const KILL_AFTER_MS = 5_000;
const MAX_ENVIRONMENT_BYTES = 1_048_576;

export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, signal);
	} catch (error) {
		// Gone meanwhile.
		if (!(error instanceof Error)) throw error;
	}
}

function parse(bytes: Buffer): Record<string, string> {
	const env: Record<string, string> = {};
	for (const entry of bytes.toString("utf8").split("\0")) {
		const at = entry.indexOf("=");
		// A profile may print text in front of the first name.
		const name = entry.slice(0, at).split("\n").at(-1) ?? "";
		if (at > 0 && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) env[name] = entry.slice(at + 1);
	}
	return env;
}
