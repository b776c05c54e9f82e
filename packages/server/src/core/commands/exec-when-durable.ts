import type { CoreContext } from "../active/core-context.ts";
import type { ExecRequest, ExecResult, Execution } from "../ports/shell.ts";

/** Begins a command when the row that names it survives a power cut: after one, nothing may have run that nobody knows of. */
export function execWhenDurable(core: Pick<CoreContext, "store" | "shell">, request: ExecRequest): Execution {
	let execution: Execution | undefined;
	let over = false;
	let end: (how: "killed" | "lost") => void = () => undefined;
	const done = new Promise<ExecResult>((resolve, reject) => {
		core.store.afterCommit(() => {
			if (over) return;
			execution = core.shell.exec(request);
			execution.done.then(resolve, reject);
		});
		end = (how) => {
			over = true;
			resolve(neverBegun(request, how));
		};
	});
	core.store.durable().catch(() => end("lost"));
	return {
		done,
		kill() {
			if (execution === undefined) end("killed");
			else execution.kill();
		},
	};
}

function neverBegun(request: ExecRequest, end: "killed" | "lost"): ExecResult {
	const output = end === "killed" ? "[stopped before it began]" : "[not run: the disk failed before it could begin]";
	return { exitCode: null, output, truncated: false, cwd: request.defaultCwd, durationMs: 0, end };
}
