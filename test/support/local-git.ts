import { systemClock } from "../../packages/server/src/core/kernel/clock.ts";
import { answerGit } from "../../packages/server/src/services/git/answer-git.ts";
import { createGitClient, type Git } from "../../packages/server/src/services/git/git-client.ts";
import { gitRequestSchema } from "../../packages/server/src/services/git/git-ops.ts";
import { createRunGit } from "../../packages/server/src/services/git/run-git.ts";

/** The real git without a process of its own between, for tests that need no process; `tools` is a folder of programs that come first. */
export function createLocalGit(tools = ""): Git {
	const git = createRunGit({ PATH: `${tools}:${process.env.PATH ?? ""}`, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" });
	return createGitClient({
		clock: systemClock,
		start: (listener) => ({
			send(message) {
				const { id, op, ask } = gitRequestSchema.parse(message);
				answerGit(git, op, ask, (text) => listener.message({ kind: "output", id, text })).then(
					(answer) => listener.message({ kind: "answer", id, answer: JSON.parse(JSON.stringify(answer)) }),
					(error: unknown) => listener.message({ kind: "failed", id, message: String(error) }),
				);
			},
			kill: () => listener.exit(),
		}),
	});
}
