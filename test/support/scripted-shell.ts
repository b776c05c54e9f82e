import type { Job } from "@rightseat/protocol/model/job";
import type { ExecRequest, ExecResult, Shell } from "../../packages/server/src/core/ports/shell.ts";

export interface ScriptedCommand {
	readonly request: ExecRequest;
	killed: boolean;
	/** Does not end when it is killed, only when the test says so. */
	stubborn: boolean;
	output(text: string): void;
	finish(result?: Partial<ExecResult>): void;
}

export interface ScriptedShell extends Shell {
	readonly commands: ScriptedCommand[];
	/** What the next prompt is told about ended jobs. */
	notes: string[];
	readonly forgotten: string[];
	job(job: Job): void;
}

/** A shell behind the port that does what a test says; the real one has tests of its own. */
export function createScriptedShell(): ScriptedShell {
	const listeners = new Set<(job: Job) => void>();
	const commands: ScriptedCommand[] = [];
	const forgotten: string[] = [];
	const shell: ScriptedShell = {
		commands,
		notes: [],
		forgotten,
		job(job) {
			for (const listener of listeners) listener(job);
		},
		exec(request) {
			let settle: (result: ExecResult) => void = () => undefined;
			const done = new Promise<ExecResult>((resolve) => {
				settle = resolve;
			});
			let output = "";
			const command: ScriptedCommand = {
				request,
				killed: false,
				stubborn: false,
				output(text) {
					output += text;
					request.onOutput(text);
				},
				finish: (result = {}) =>
					settle({ exitCode: 0, output, truncated: false, cwd: request.defaultCwd, durationMs: 1, end: "exited", ...result }),
			};
			commands.push(command);
			return {
				done,
				kill() {
					command.killed = true;
					if (!command.stubborn) command.finish({ exitCode: 143, signal: "SIGTERM", end: "killed" });
				},
			};
		},
		tools: () => [],
		cwd: (_, defaultCwd) => defaultCwd,
		setCwd: () => undefined,
		restart: () => undefined,
		jobs: () => [],
		jobOutput: async () => ({ ok: false, text: "", status: "unknown" }),
		killJob: async () => ({ ok: false, message: "" }),
		onJob(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		finishedNotes: () => shell.notes.map((text, index) => ({ bashId: `bash_${index + 1}`, text })),
		markNotesTold(_, notes) {
			const told = notes.map((note) => note.text);
			shell.notes = shell.notes.filter((text) => !told.includes(text));
		},
		forget: async (id) => void forgotten.push(id),
		close: async () => undefined,
	};
	return shell;
}
