import { spawn } from "node:child_process";

/** One run of the git program. */
export interface GitCall {
	/** Given to git with `-C`: a folder on a dead mount must stop the git process, never the one that starts it. */
	cwd: string;
	args: readonly string[];
	/** `ours`: no hook, monitor or pager runs, and no lock is taken that could be left out. `person`: as if the person typed it. */
	as: "ours" | "person";
	input?: string | Uint8Array;
	env?: Readonly<Record<string, string>>;
	/** Another program of the person's than git, such as `gh`. */
	program?: string;
	limitMs?: number;
	maxBytes?: number;
	/** What it prints, as it comes. */
	onOutput?(text: string): void;
}

/** How it ended; every end is a value. */
export interface GitResult {
	/** Null: it was killed, or could not be started (`stderr` says why). */
	code: number | null;
	stdout: Buffer;
	stderr: string;
	/** There was more than `maxBytes`; the beginning is here, and the program was ended. */
	truncated: boolean;
	timedOut: boolean;
}
export type RunGit = (call: GitCall) => Promise<GitResult>;

/** Of a call that only reads. */
const READ_LIMIT_MS = 15_000;
const MAX_OUTPUT_BYTES = 8 * 1_048_576;
const MAX_STDERR_CHARS = 64_000;

/**
 * Starts git. A repository is somebody else's: its hooks and its file-system monitor are programs, and nothing of ours may run them unasked.
 * So a call of ours takes the person's environment without any `GIT_…`, switches those off and fetches nothing; filters are the caller's business (`withoutFilters`).
 */
export function createRunGit(environment: Readonly<Record<string, string>>): RunGit {
	const plain = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("GIT_")));
	const reading = { ...plain, ...QUIET, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", ...NO_FETCH };
	const person = { ...plain, ...QUIET };

	return ({ cwd, args, as, input, env, program = "git", limitMs = READ_LIMIT_MS, maxBytes = MAX_OUTPUT_BYTES, onOutput }) =>
		new Promise((resolve) => {
			const isGit = program === "git";
			const before = as === "ours" ? ["-C", cwd, ...READING] : ["-C", cwd, "--no-pager"];
			const child = spawn(program, isGit ? [...before, ...args] : [...args], {
				...(isGit ? {} : { cwd }),
				env: { ...(as === "ours" ? reading : person), ...env },
				stdio: ["pipe", "pipe", "pipe"],
				// Hooks and signing programs are its children: they end with it.
				detached: true,
			});
			const chunks: Buffer[] = [];
			// A character may be cut where the pipe is.
			const [shown, said] = [new TextDecoder(), new TextDecoder()];
			let bytes = 0;
			let stderr = "";
			let truncated = false;
			let timedOut = false;
			const timer = setTimeout(() => {
				timedOut = true;
				killGroup(child.pid);
			}, limitMs);
			child.stdout.on("data", (chunk: Buffer) => {
				onOutput?.(shown.decode(chunk, { stream: true }));
				if (bytes + chunk.length > maxBytes) {
					truncated = true;
					// What only prints for a person may print on; what is read is read no further.
					if (onOutput === undefined) killGroup(child.pid);
					return;
				}
				bytes += chunk.length;
				chunks.push(chunk);
			});
			child.stderr.on("data", (chunk: Buffer) => {
				const text = said.decode(chunk, { stream: true });
				onOutput?.(text);
				if (stderr.length < MAX_STDERR_CHARS) stderr += text.slice(0, MAX_STDERR_CHARS - stderr.length);
			});
			const end = (code: number | null) => {
				clearTimeout(timer);
				resolve({ code, stdout: Buffer.concat(chunks), stderr, truncated, timedOut });
			};
			child.on("error", (error) => {
				stderr = error.message;
				end(null);
			});
			child.on("close", (code) => end(truncated && onOutput === undefined ? null : code));
			// A program that ends without reading its input is no error of ours.
			child.stdin.on("error", () => undefined);
			child.stdin.end(input ?? "");
		});
}

/** Nothing may ask on a terminal that is not there. */
const QUIET = { GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", TERM: "dumb", NO_COLOR: "1", GH_PROMPT_DISABLED: "1" };
/** A repository may lack objects and name commands to fetch them with. The first is for newer versions of git, the second allows no way to another repository. */
const NO_FETCH = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
const READING = [
	...["--no-pager", "--literal-pathspecs", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"],
	...["-c", "gc.auto=0", "-c", "maintenance.auto=false"],
];

function killGroup(pid: number | undefined): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, "SIGKILL");
	} catch (error) {
		// It has ended by itself meanwhile.
		if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
	}
}
