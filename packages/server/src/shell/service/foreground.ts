import { cutTextTail } from "@rightseat/protocol/text";
import type { CommandEnd, EndCause, RunRequest } from "@rightseat/shell/daemon/shelld-protocol";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { JobBook, JobEntry } from "../jobs/job-registry.ts";
import type { CommandListener, Runner } from "./runner.ts";
import { signalCode } from "./signal-code.ts";

/** A command that somebody waits for. */
export interface Foreground {
	readonly outcome: Promise<Outcome>;
	kill(cause: Exclude<EndCause, "exited">): void;
}

export type Outcome =
	/** `job` holds processes that it left running; `refused` says why they were ended instead. */
	| { kind: "ended"; end: CommandEnd; job?: JobEntry; refused?: string }
	/** It goes on in the background. */
	| { kind: "promoted"; job: JobEntry; output: string; durationMs: number }
	| { kind: "lost"; reason: string };

export interface ForegroundDeps {
	runner: Runner;
	book: JobBook;
}

export interface ForegroundRequest extends Omit<RunRequest, "key" | "background" | "conversation"> {
	conversation: ConversationId | null;
	description?: string | undefined;
	onLive(text: string): void;
}

export function runForeground({ runner, book }: ForegroundDeps, request: ForegroundRequest): Foreground {
	const { onLive, description, ...run } = request;
	const { conversation, command } = request;
	let key = "";
	let job: JobEntry | undefined;
	let refused: string | undefined;

	const outcome = new Promise<Outcome>((resolve) => {
		const adopt = (pid?: number): JobEntry | undefined => {
			refused = conversation === null ? "It has no conversation." : book.refusal(conversation);
			if (conversation === null || refused !== undefined) return undefined;
			return book.add(conversation, { key, command, description, pid });
		};
		const listener: CommandListener = {
			live: onLive,
			promoted(output, durationMs) {
				job = adopt();
				if (job === undefined) runner.kill(key, "timed-out");
				else resolve({ kind: "promoted", job, output, durationMs });
			},
			end(end) {
				if (job !== undefined) {
					endJob(book, job, end);
					return;
				}
				try {
					if (conversation !== null && end.cwd !== null) book.setCwd(conversation, end.cwd);
					if (end.leftovers.length > 0) {
						job = adopt(end.leftovers[0]?.pid);
						if (job === undefined) runner.kill(key, "killed");
					}
					if (refused !== undefined && end.leftovers.length === 0) runner.drop(key);
				} finally {
					// Whatever else fails: the command has ended, and nothing would ever say so again.
					resolve({ kind: "ended", end, ...(job === undefined ? {} : { job }), ...(refused === undefined ? {} : { refused }) });
				}
			},
			gone(cause, survivors) {
				if (job !== undefined)
					book.end(job, { status: statusOf(cause), exitCode: null, ...(survivors === undefined ? {} : { survivors }) });
				else runner.drop(key);
			},
			watch({ ports, tail }) {
				if (job !== undefined) book.update(job, { ports, tail });
			},
			lost(reason) {
				if (job !== undefined) book.end(job, { status: "lost", exitCode: null });
				resolve({ kind: "lost", reason });
			},
		};
		key = runner.run({ ...run, background: false }, listener);
	});
	return { outcome, kill: (cause) => runner.kill(key, cause) };
}

const JOB_TAIL_CHARS = 1_000;

export function endJob(book: JobBook, job: JobEntry, end: CommandEnd): void {
	book.end(job, {
		status: statusOf(end.cause),
		exitCode: end.exitCode ?? signalCode(end.signal),
		tail: cutTextTail(end.output, JOB_TAIL_CHARS),
		...(end.killed?.survivors === undefined ? {} : { survivors: end.killed.survivors }),
	});
}

export function statusOf(cause: EndCause): "exited" | "killed" | "timed_out" {
	if (cause === "timed-out") return "timed_out";
	return cause === "exited" ? "exited" : "killed";
}
