import { answerGit } from "./answer-git.ts";
import { type GitReply, gitRequestSchema } from "./git-ops.ts";
import { createRunGit } from "./run-git.ts";

/**
 * The git process: starts git for the server. Starting a program stops whoever starts it for as long as its memory is large,
 * so this is done by a process that has little.
 */
const git = createRunGit(environment());

// A plain exit would wait for threads that wait for a dead mount.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", (message) => {
	const request = gitRequestSchema.safeParse(message);
	if (!request.success) return;
	const { id, op, ask } = request.data;
	answerGit(git, op, ask, (text) => reply({ kind: "output", id, text })).then(
		(answer) => reply({ kind: "answer", id, answer }),
		(error: unknown) => reply({ kind: "failed", id, message: error instanceof Error ? error.message : String(error) }),
	);
});

function reply(message: GitReply): void {
	if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

function environment(): Record<string, string> {
	const { NODE_CHANNEL_FD: _, ...rest } = process.env;
	return Object.fromEntries(Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
