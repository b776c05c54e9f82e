import { cutTextTail } from "@rightseat/protocol/text";
import type { CommandClient, CommandEvents } from "@rightseat/shell/client/command-client";
import type { CommandEnd, RunRequest } from "@rightseat/shell/daemon/shelld-protocol";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { CommandHandle } from "../../core/ports/shell.ts";
import type { JobEntry } from "../jobs/job-entry.ts";
import type { JobRegistry } from "../jobs/job-registry.ts";
import { signalCode } from "./signal-code.ts";

export type Outcome =
	/** `job` holds processes that it left running; `refused` says why they were ended instead. */
	| { kind: "ended"; end: CommandEnd; job?: JobEntry | undefined; refused?: string | undefined }
	/** It goes on in the background. */
	| { kind: "promoted"; job: JobEntry; output: string; durationMs: number }
	| { kind: "lost"; reason: string };

export interface ForegroundDeps {
	commands: CommandClient;
	registry: JobRegistry;
}

export interface ForegroundRequest extends Omit<RunRequest, "key" | "background" | "conversation"> {
	conversation: ConversationId | null;
	description?: string | undefined;
	onLive(text: string): void;
}

export function runForeground({ commands, registry }: ForegroundDeps, request: ForegroundRequest): CommandHandle<Outcome> {
	const { onLive, description, ...run } = request;
	const { conversation, command } = request;
	let key = "";
	let job: JobEntry | undefined;
	let refused: string | undefined;

	const done = new Promise<Outcome>((resolve) => {
		function adopt(pid?: number): JobEntry | undefined {
			refused = conversation === null ? "It has no conversation." : registry.refusal(conversation);
			if (conversation === null || refused !== undefined) return undefined;
			return registry.add(conversation, { key, command, description, pid });
		}
		const events: CommandEvents = {
			live: onLive,
			promoted(output, durationMs) {
				job = adopt();
				if (job === undefined) commands.kill(key, "timed_out");
				else resolve({ kind: "promoted", job, output, durationMs });
			},
			end(end) {
				if (job !== undefined) {
					endJob(registry, job, end);
					return;
				}
				try {
					if (conversation !== null && end.cwd !== null) registry.setCwd(conversation, end.cwd);
					if (end.leftovers.length > 0) {
						job = adopt(end.leftovers[0]?.pid);
						if (job === undefined) commands.kill(key, "killed");
					}
					if (refused !== undefined && end.leftovers.length === 0) commands.drop(key);
				} finally {
					// Whatever else fails: the command has ended, and nothing would ever say so again.
					resolve({ kind: "ended", end, job, refused });
				}
			},
			gone(cause, survivors) {
				if (job !== undefined) registry.end(job, { status: cause, exitCode: null, survivors });
				else commands.drop(key);
			},
			watch({ ports, tail }) {
				if (job !== undefined) registry.update(job, { ports, tail });
			},
			lost(reason) {
				if (job !== undefined) registry.end(job, { status: "lost", exitCode: null });
				resolve({ kind: "lost", reason });
			},
		};
		key = commands.run({ ...run, background: false }, events);
	});
	return { done, kill: () => commands.kill(key, "killed") };
}

const JOB_TAIL_CHARS = 1_000;

export function endJob(registry: JobRegistry, job: JobEntry, end: CommandEnd): void {
	registry.end(job, {
		status: end.cause,
		exitCode: end.exitCode ?? signalCode(end.signal),
		tail: cutTextTail(end.output, JOB_TAIL_CHARS),
		survivors: end.killed?.survivors,
	});
}
