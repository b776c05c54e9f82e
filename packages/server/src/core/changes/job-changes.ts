import type { Job } from "@rightseat/protocol/model/job";
import type { ActiveConversations } from "../active/active-conversations.ts";
import { type ConversationId, conversationId as toConversationId } from "../kernel/ids.ts";
import type { OwnChanges } from "./own-changes.ts";
import type { OpenWindows, OpenWork, WorkOf } from "./work-windows.ts";

/** Records what jobs in the background change: part of their turn while that runs, a change of their own from then on. */
export interface JobChanges {
	/** A job began, changed or ended. */
	heard(job: Job): void;
	/** Its turn ends: what still runs of it goes on under a change of its own. Before the turn is settled, so that nothing falls between. */
	outlive(id: ConversationId, turn: WorkOf): void;
	/** The conversation is deleted. */
	forget(id: ConversationId): void;
}

interface WatchedJob {
	id: ConversationId;
	of: WorkOf;
	label: string;
	actor: "agent-shell" | "person";
	work: OpenWork;
}

/** As many as jobs run; each goes with its job. */
export function createJobChanges(deps: {
	open: OpenWindows;
	own: OwnChanges;
	active: Pick<ActiveConversations, "find">;
	/** The turn that runs in a conversation and is not settled yet. */
	turnOf(id: ConversationId): WorkOf | undefined;
}): JobChanges {
	const watched = new Map<string, WatchedJob>();
	const keyOf = (job: Job) => `${job.conversationId} ${job.bashId}`;

	function begin(job: Job): void {
		const id = toConversationId(job.conversationId);
		const turn = deps.turnOf(id);
		// Without a turn it is what a person's command left running.
		const actor = turn === undefined && (deps.active.find(id)?.commands.size ?? 0) > 0 ? "person" : "agent-shell";
		const of = turn ?? deps.own.begin(id);
		watched.set(keyOf(job), { id, of, label: job.command, actor, work: deps.open(id, of, { actor, label: job.command }) });
	}

	function end(key: string, { id, of, work }: WatchedJob): void {
		watched.delete(key);
		work.close();
		if (of.kind === "command") void deps.own.end(id, of);
	}

	return {
		heard(job) {
			const known = watched.get(keyOf(job));
			if (job.status === "running" && known === undefined) begin(job);
			else if (job.status !== "running" && known !== undefined) end(keyOf(job), known);
		},
		outlive(id, turn) {
			for (const [key, job] of watched) {
				if (job.id !== id || job.of.changeId !== turn.changeId) continue;
				const of = deps.own.begin(id);
				const { actor, label } = job;
				watched.set(key, { ...job, of, work: deps.open(id, of, { actor, label }) });
			}
		},
		forget(id) {
			for (const [key, job] of watched) if (job.id === id) watched.delete(key);
		},
	};
}
