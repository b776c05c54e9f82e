import type { Job } from "@rightseat/protocol/model/job";
import type { AgentTool } from "../../packages/server/src/core/ports/agent-tool.ts";
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
	/** A job that is new or has changed. */
	job(job: Job): void;
}

/** A shell behind the port that does what a test says. It keeps the port's contract (`shell-contract-harness.ts`), as the real one does. */
export function createScriptedShell(): ScriptedShell {
	const listeners = new Set<(job: Job) => void>();
	const jobs = new Map<string, Job>();
	const directories = new Map<string, string>();
	const commands: ScriptedCommand[] = [];
	const forgotten: string[] = [];
	let isClosed = false;
	const keyOf = ({ conversationId, bashId }: Pick<Job, "conversationId" | "bashId">) => `${conversationId} ${bashId}`;

	function endAll(conversationId?: string): void {
		for (const command of commands) if (conversationId === undefined || command.request.conversationId === conversationId) kill(command);
		for (const job of [...jobs.values()])
			if (conversationId === undefined || job.conversationId === conversationId) jobs.delete(keyOf(job));
	}

	const shell: ScriptedShell = {
		commands,
		notes: [],
		forgotten,
		job(job) {
			jobs.set(keyOf(job), job);
			for (const listener of listeners) listener(job);
		},
		exec(request) {
			const { promise: done, resolve } = createDone();
			if (isClosed) {
				const output = "The server is shutting down.\n";
				request.onOutput(output);
				resolve({ exitCode: 126, output, truncated: false, cwd: request.defaultCwd, durationMs: 0, end: "exited" });
				return { done, kill: () => undefined };
			}
			const cwd = request.conversationId === undefined ? request.defaultCwd : shell.cwd(request.conversationId, request.defaultCwd);
			const command = createCommand(request, cwd, resolve);
			commands.push(command);
			return { done, kill: () => kill(command) };
		},
		tools: () => ["Bash", "BashOutput", "KillBash"].map(scriptedTool),
		cwd: (conversationId, defaultCwd) => directories.get(conversationId) ?? defaultCwd,
		plainCwd: async (conversationId, defaultCwd) => shell.cwd(conversationId, defaultCwd),
		setCwd: (conversationId, cwd) => void directories.set(conversationId, cwd),
		restart: (conversationId) => void directories.delete(conversationId),
		jobs: (conversationId) =>
			[...jobs.values()]
				.filter((job) => conversationId === undefined || job.conversationId === conversationId)
				.sort((a, b) => b.startedAt.localeCompare(a.startedAt)),
		async jobOutput({ conversationId, bashId }) {
			const job = jobs.get(keyOf({ conversationId, bashId }));
			if (job === undefined) return { ok: false, text: `There is no job "${bashId}".`, status: "unknown" };
			return { ok: true, text: job.tail ?? "", status: job.status };
		},
		async killJob(conversationId, bashId) {
			const job = jobs.get(keyOf({ conversationId, bashId }));
			if (job === undefined) return { ok: false, message: `There is no job "${bashId}".` };
			if (job.status !== "running") return { ok: false, message: `${bashId} has ended already.` };
			shell.job({ ...job, status: "killed" });
			shell.notes.push(`Background job ${bashId} was ended by a person.`);
			return { ok: true, message: `${bashId} was ended.` };
		},
		onJob(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		finishedNotes: () => shell.notes.map((text, index) => ({ bashId: `bash_${index + 1}`, text })),
		markNotesTold(_, notes) {
			const told = notes.map((note) => note.text);
			shell.notes = shell.notes.filter((text) => !told.includes(text));
		},
		async forget(conversationId) {
			forgotten.push(conversationId);
			directories.delete(conversationId);
			endAll(conversationId);
		},
		async close() {
			isClosed = true;
			endAll();
		},
	};
	return shell;
}

function createDone(): { promise: Promise<ExecResult>; resolve(result: ExecResult): void } {
	let resolve: (result: ExecResult) => void = () => undefined;
	const promise = new Promise<ExecResult>((settle) => {
		resolve = settle;
	});
	return { promise, resolve };
}

function createCommand(request: ExecRequest, cwd: string, settle: (result: ExecResult) => void): ScriptedCommand {
	let output = "";
	return {
		request,
		killed: false,
		stubborn: false,
		output(text) {
			output += text;
			request.onOutput(text);
		},
		finish: (result = {}) => settle({ exitCode: 0, output, truncated: false, cwd, durationMs: 1, end: "exited", ...result }),
	};
}

function kill(command: ScriptedCommand): void {
	command.killed = true;
	if (!command.stubborn) command.finish({ exitCode: 143, signal: "SIGTERM", end: "killed" });
}

const scriptedTool = (name: string): AgentTool => ({
	name,
	description: "",
	parameters: {},
	run: async () => ({ ok: false, text: "The scripted shell runs no tools." }),
});
