import { rm } from "node:fs/promises";
import { cutText } from "@rightseat/protocol/text";
import { createCommandClient } from "@rightseat/shell/client/command-client";
import { childEnvironment } from "@rightseat/shell/environment/child-env";
import { conversationDirectory } from "@rightseat/shell/state/conversation-directory";
import { type Clock, systemClock } from "../../core/kernel/clock.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { CommandHandle, ExecRequest, ExecResult, Shell } from "../../core/ports/shell.ts";
import { createJobRegistry } from "../jobs/job-registry.ts";
import { createJobTools } from "../jobs/job-tools.ts";
import { createJobs } from "../jobs/jobs.ts";
import { createBashTool, MAX_WAITED_PER_CONVERSATION } from "./bash-tool.ts";
import { type Outcome, runForeground } from "./foreground.ts";
import { createShelldClient } from "./shelld-client.ts";
import { signalCode } from "./signal-code.ts";

export interface ShellDeps {
	/** $RIGHTSEAT_HOME; everything of the shell is kept in its folder `shell`. */
	home: string;
	logger: Logger;
	clock?: Clock;
	/** Names of environment variables that no command may see. */
	secrets: string[];
	env?: NodeJS.ProcessEnv;
	/** Begins the mark of processes that must not outlive this one; the shell process is there when it has died. */
	marks?: string;
	/** The file of the shell process, if it is not beside this one. */
	shelldPath?: string;
}

const OUTPUT_LIMIT = 65_536;
const MAX_WAITED = 128;
const NUL_IN_COMMAND = "The command holds a NUL character, so nothing of it was run. Remove it and send the command again.";

/** Starts the shell process and returns at once; commands wait until it is ready. */
export function createShell(deps: ShellDeps): Shell {
	const { home, secrets, logger, clock = systemClock } = deps;
	const commands = createCommandClient((message) => client.send(message));
	const registry = createJobRegistry({ home, clock, logger, drop: commands.drop });
	const client = createShelldClient({
		home,
		secrets,
		logger,
		clock,
		marks: deps.marks,
		env: childEnvironment(deps.env ?? process.env, secrets),
		...(deps.shelldPath === undefined ? {} : { shelldPath: deps.shelldPath }),
		onMessage: (message) => commands.receive(message),
		onLost(reason) {
			registry.loseOutput();
			commands.loseAll(reason);
		},
	});
	const jobs = createJobs({ registry, commands, client, clock });
	let closed: Promise<void> | undefined;

	/** Never looked at here: on a mount that does not answer that would stop the server. A command that cannot run there says so. */
	const cwd = (conversation: ConversationId, defaultCwd: string) => registry.cwd(conversation) ?? defaultCwd;
	function restart(conversation: ConversationId): void {
		client.send({ kind: "reset", conversation });
		registry.setCwd(conversation, undefined);
	}
	/** Why no further command of a person can start now. */
	function refusal(conversation: ConversationId | undefined): string | undefined {
		if (closed !== undefined) return "The server is shutting down.";
		const unread = conversation === undefined ? undefined : registry.unreadable(conversation);
		if (unread !== undefined) return unread;
		const busy =
			commands.running() >= MAX_WAITED || (conversation !== undefined && commands.running(conversation) >= MAX_WAITED_PER_CONVERSATION);
		return busy ? "Too many commands run already. Wait for some to end, or end them." : undefined;
	}

	return {
		exec(request) {
			const { conversationId, defaultCwd, command } = request;
			// Bash would run what stands before it, and nothing else.
			const refused = command.includes("\0") ? NUL_IN_COMMAND : refusal(conversationId);
			if (refused !== undefined) return refusedCommandHandle(request, refused);
			const began = clock.elapsed();
			const from = conversationId === undefined ? defaultCwd : cwd(conversationId, defaultCwd);
			let shown = "";
			const running = runForeground(
				{ commands, registry },
				{
					conversation: conversationId ?? null,
					command,
					cwd: from,
					fallbackCwd: defaultCwd,
					timeoutMs: null,
					onTimeout: "kill",
					want: "head",
					limit: OUTPUT_LIMIT,
					onLive(text) {
						if (shown.length < OUTPUT_LIMIT) shown += text;
						request.onOutput(text);
					},
				},
			);
			return {
				done: running.done.then((outcome) => execResult(outcome, { cwd: from, shown, durationMs: Math.round(clock.elapsed() - began) })),
				kill: running.kill,
			};
		},
		tools(conversation, defaultCwd) {
			const bash = createBashTool({
				commands,
				registry,
				conversation,
				defaultCwd,
				cwd: () => cwd(conversation, defaultCwd),
				restart: () => restart(conversation),
			});
			return [bash, ...createJobTools(jobs, conversation)];
		},
		cwd,
		async plainCwd(conversation, defaultCwd) {
			const plain = await client.request((request) => ({ kind: "plain", request, conversation }));
			return plain?.ok === true && registry.unreadable(conversation) === undefined ? cwd(conversation, defaultCwd) : undefined;
		},
		setCwd: (conversation, path) => registry.setCwd(conversation, path),
		restart,
		jobs: (conversation) => registry.list(conversation),
		jobOutput: ({ conversationId, bashId, filter }) =>
			jobs.output({ conversation: conversationId, bashId, filter, newOnly: false, byAgent: false }),
		killJob: (conversation, bashId) => jobs.kill({ conversation, bashId, byAgent: false }),
		onJob: (listener) => registry.onJob(listener),
		finishedNotes: (conversation) => registry.notes(conversation),
		markNotesTold: (conversation, notes) =>
			registry.dropNotes(
				conversation,
				notes.map((note) => note.bashId),
			),
		async forget(conversation) {
			registry.forget(conversation);
			await client.request((request) => ({ kind: "forget", request, conversation }));
			registry.forget(conversation);
			// Also when the shell process could no longer do it.
			await rm(conversationDirectory(home, conversation), { recursive: true, force: true });
		},
		close() {
			registry.freeze();
			closed ??= client.close().then(() => commands.loseAll("the server is shutting down"));
			return closed;
		},
	};
}

function execResult(outcome: Outcome, run: { cwd: string; shown: string; durationMs: number }): ExecResult {
	if (outcome.kind !== "ended") {
		const reason = outcome.kind === "lost" ? outcome.reason : "moved to the background";
		const output = `${cutText(run.shown, OUTPUT_LIMIT)}\n[the command is lost: ${reason}]\n`;
		return { exitCode: null, output, truncated: false, cwd: run.cwd, durationMs: run.durationMs, end: "lost" };
	}
	const { end } = outcome;
	return {
		exitCode: end.exitCode ?? signalCode(end.signal),
		...(end.signal === null ? {} : { signal: end.signal }),
		output: end.output,
		truncated: end.truncated,
		cwd: end.cwd ?? run.cwd,
		durationMs: end.durationMs,
		end: end.cause === "exited" ? "exited" : "killed",
	};
}

function refusedCommandHandle({ defaultCwd, onOutput }: ExecRequest, reason: string): CommandHandle {
	const output = `${reason}\n`;
	onOutput(output);
	const done = Promise.resolve({ exitCode: 126, output, truncated: false, cwd: defaultCwd, durationMs: 0, end: "exited" as const });
	return { done, kill: () => undefined };
}
