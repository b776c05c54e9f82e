import { spawn } from "@lydell/node-pty";
import { cliEntry, cliEnv } from "./cli.ts";

export interface PtyCli {
	/** Calls back with everything it writes from now on. */
	onData(listener: (data: string) => void): void;
	/** Everything it wrote, as it came. */
	raw(): string;
	/** The same without colours and moves of the cursor. */
	text(): string;
	type(keys: string): void;
	resize(columns: number, rows: number): void;
	/** Resolves as soon as what was written since `from` matches. */
	until(pattern: RegExp, from?: number): Promise<void>;
	readonly exited: Promise<number>;
	kill(): void;
}

const LIMIT_MS = 45_000;

/** A command in a terminal of its own. */
export function startPtyCli(
	args: readonly string[],
	options: { home: string; cwd?: string; env?: NodeJS.ProcessEnv; columns?: number; built?: boolean },
): PtyCli {
	const env = { ...cliEnv(options), TERM: "xterm-256color" };
	const pty = spawn(process.execPath, [...cliEntry(options.built), ...args], {
		cwd: options.cwd ?? options.home,
		env,
		cols: options.columns ?? 80,
		rows: 24,
	});
	const killWithUs = () => pty.kill("SIGKILL");
	process.once("exit", killWithUs);
	let raw = "";
	const looks = new Set<() => void>();
	pty.onData((data) => {
		raw += data;
		for (const look of [...looks]) look();
	});
	const exited = new Promise<number>((resolve) => {
		pty.onExit(({ exitCode }) => {
			process.off("exit", killWithUs);
			resolve(exitCode);
		});
	});
	const text = () => raw.replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, "");
	return {
		onData: (listener) => void pty.onData(listener),
		raw: () => raw,
		text,
		type: (keys) => pty.write(keys),
		resize: (columns, rows) => pty.resize(columns, rows),
		exited,
		kill: killWithUs,
		until: (pattern, from = 0) =>
			new Promise((resolve, reject) => {
				const settle = (act: () => void) => {
					looks.delete(look);
					clearTimeout(timer);
					act();
				};
				const look = () => (pattern.test(text().slice(from)) ? settle(resolve) : undefined);
				const timer = setTimeout(() => settle(() => reject(new Error(`No ${pattern}:\n${text()}`))), LIMIT_MS);
				looks.add(look);
				look();
				void exited.then((code) => settle(() => reject(new Error(`Ended with ${code} before ${pattern}:\n${text()}`))));
			}),
	};
}
