import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "..", "..");
const LIMIT_MS = 90_000;

export interface CliRun {
	readonly child: ChildProcessWithoutNullStreams;
	stdout(): string;
	stderr(): string;
	/** Resolves as soon as the text so far matches; rejects when the command ends first. */
	until(stream: "stdout" | "stderr", pattern: RegExp): Promise<string>;
	/** The exit code, or the signal's name. */
	readonly exited: Promise<number | string>;
}
export interface CliOptions {
	home: string;
	env?: NodeJS.ProcessEnv;
	cwd?: string;
	/** Written to standard input, which is then closed; `null` leaves it open. */
	stdin?: string | null;
}

/** A command against a running server, as a process of its own: the program that `rightseat ask` and the others are. */
export function startCli(args: readonly string[], options: CliOptions): CliRun {
	const child = spawn(process.execPath, [...cliEntry(), ...args], {
		cwd: options.cwd ?? options.home,
		env: cliEnv(options),
		stdio: "pipe",
	});
	const killWithUs = () => child.kill("SIGKILL");
	process.once("exit", killWithUs);
	const timer = setTimeout(killWithUs, LIMIT_MS);
	const said = { stdout: "", stderr: "" };
	const looks = new Set<() => void>();
	for (const stream of ["stdout", "stderr"] as const) {
		child[stream].setEncoding("utf8").on("data", (text: string) => {
			said[stream] += text;
			for (const look of [...looks]) look();
		});
	}
	const exited = new Promise<number | string>((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (code, signal) => {
			clearTimeout(timer);
			process.off("exit", killWithUs);
			resolve(code ?? signal ?? "unknown");
		});
	});
	child.stdin.on("error", () => undefined);
	if (options.stdin !== null) child.stdin.end(options.stdin ?? "");
	return {
		child,
		stdout: () => said.stdout,
		stderr: () => said.stderr,
		exited,
		until: (stream, pattern) =>
			new Promise((resolve, reject) => {
				const look = () => {
					if (!pattern.test(said[stream])) return;
					looks.delete(look);
					resolve(said[stream]);
				};
				looks.add(look);
				look();
				void exited.then((exit) => reject(new Error(`Ended with ${exit} before ${pattern}.\n${said.stdout}\n${said.stderr}`)));
			}),
	};
}

/** Runs a command to its end. */
export async function runCli(args: readonly string[], options: CliOptions) {
	const run = startCli(args, options);
	const exit = await run.exited;
	return { exit, stdout: run.stdout(), stderr: run.stderr() };
}

/** What Node is given to run the commands: the built program under `npm test`, else the sources. */
export function cliEntry(built = process.env.RIGHTSEAT_TEST_BUILT === "1"): string[] {
	if (built) return [join(ROOT, "packages/server/dist/cli.js")];
	const tsx = pathToFileURL(join(ROOT, "node_modules/tsx/dist/loader.mjs")).href;
	return ["--import", tsx, join(ROOT, "packages/cli/src/main.ts")];
}

/** A small clean environment: nothing of the developer's own settings gets in. */
export function cliEnv({ home, env }: Pick<CliOptions, "home" | "env">): NodeJS.ProcessEnv {
	return { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", TMPDIR: tmpdir(), RIGHTSEAT_HOME: home, ...env };
}
