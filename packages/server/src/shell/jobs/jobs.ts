import type { Job } from "@rightseat/protocol/model/job";
import { cutText } from "@rightseat/protocol/text";
import type { CommandClient } from "@rightseat/shell/client/command-client";
import type { Clock } from "../../core/kernel/clock.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { JobOutput } from "../../core/ports/shell.ts";
import { OUTPUT_CHARS } from "../service/result-text.ts";
import type { ShelldClient } from "../service/shelld-client.ts";
import type { Found, JobRegistry } from "./job-registry.ts";

/** Reading and ending background jobs, for the agent and for people. */
export interface Jobs {
	output(request: {
		conversation: ConversationId;
		bashId: string;
		filter?: string | undefined;
		newOnly: boolean;
		byAgent: boolean;
	}): Promise<JobOutput>;
	kill(request: { conversation: ConversationId; bashId: string; byAgent: boolean }): Promise<{ ok: boolean; message: string }>;
}

export interface JobsDeps {
	registry: JobRegistry;
	commands: CommandClient;
	client: ShelldClient;
	clock: Clock;
}

/** The shell process itself gives up on a process after 6.5 s; more means that it does not answer. */
export const KILL_WAIT_MS = 12_000;

export function createJobs({ registry, commands, client, clock }: JobsDeps): Jobs {
	/** The job once it has ended; undefined when nobody says so in time. */
	const ended = (conversation: ConversationId, bashId: string) =>
		new Promise<Job | undefined>((resolve) => {
			function finish(job: Job | undefined): void {
				stop();
				cancel();
				resolve(job);
			}
			const cancel = clock.after(KILL_WAIT_MS, () => finish(undefined));
			const stop = registry.onJob((job) => {
				if (job.conversationId === conversation && job.bashId === bashId && job.status !== "running") finish(job);
			});
		});

	return {
		async output({ conversation, bashId, filter, newOnly, byAgent }) {
			const found = registry.find(conversation, bashId);
			if (found.kind !== "found") return { ok: false, text: missing(bashId, found), status: found.kind };
			const { entry } = found;
			const reply = await client.request((request) => ({
				kind: "output",
				request,
				key: entry.key,
				newOnly,
				limit: OUTPUT_CHARS,
				filter,
			}));
			const { job } = entry;
			if (reply === undefined) return { ok: false, text: missing(bashId, { kind: "lost", running: [] }), status: "lost" };
			if (!reply.ok) return { ok: false, text: reply.text || missing(bashId, { kind: "expired", running: [] }), status: job.status };
			if (byAgent && job.status !== "running") registry.dropNotes(conversation, [bashId]);
			const nothing = filter !== undefined ? "(no line matches the filter)" : newOnly ? "(nothing new)" : "(no output yet)";
			const body = reply.text === "" ? nothing : reply.text.trimEnd();
			return { ok: true, text: `${body}\n[${bashId} ${standingOf(job)}]`, status: job.status };
		},
		async kill({ conversation, bashId, byAgent }) {
			const found = registry.find(conversation, bashId);
			if (found.kind !== "found") return { ok: false, message: missing(bashId, found) };
			const { entry } = found;
			if (entry.job.status !== "running")
				return { ok: false, message: `${bashId} ${standingOf(entry.job)} already; there is nothing to end.` };
			const end = ended(conversation, bashId);
			commands.kill(entry.key, "killed");
			const job = await end;
			if (job === undefined)
				return { ok: false, message: `${bashId} was told to end but still runs. Look at it again with BashOutput in a while.` };
			if (byAgent) registry.dropNotes(conversation, [bashId]);
			const tail = job.tail === undefined || job.tail === "" ? "" : ` Its last output:\n${job.tail}`;
			if (job.status === "exited") return { ok: false, message: `${bashId} ${standingOf(job)} by itself before it could be ended.${tail}` };
			if (entry.survivors !== undefined && entry.survivors.length > 0)
				return {
					ok: false,
					message: `${bashId} was killed, but these processes could not be ended: ${entry.survivors.join(", ")}. They may wait for a disk or a network folder that does not answer, or belong to another user.${tail}`,
				};
			return { ok: true, message: `${bashId} was ended with all its processes.${tail}` };
		},
	};
}

/** How a job stands, as the end of a sentence. */
function standingOf(job: Job): string {
	const ports = job.ports === undefined || job.ports.length === 0 ? "" : `, listening on port ${job.ports.join(", ")}`;
	switch (job.status) {
		case "running":
			return `is running${ports}`;
		case "exited":
			return typeof job.exitCode === "number" ? `exited with exit code: ${job.exitCode}` : "has ended";
		case "killed":
			return "was killed";
		case "timed_out":
			return "timed out and was ended";
		case "lost":
			return "was lost";
	}
}

function missing(bashId: string, found: Exclude<Found, { kind: "found" }>): string {
	const id = JSON.stringify(cutText(bashId, 100));
	const running = found.running.length === 0 ? "No background job runs here now." : `Running here: ${found.running.join(", ")}.`;
	switch (found.kind) {
		case "expired":
			return `The job ${id} ended some time ago and its output is not kept any more. ${running}`;
		case "lost":
			return `The job ${id} was lost when the server or its shell process ended; nothing of it runs any more. Start it again if it is still needed. ${running}`;
		case "elsewhere":
			return `The job ${id} belongs to another conversation and cannot be reached from here. ${running}`;
		case "unknown":
			return `There is no job ${id}. Use the bash_id that Bash returned. ${running}`;
	}
}
