import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import { retryWhileRefused } from "../active/storage-retry.ts";
import type { Clock } from "../kernel/clock.ts";
import {
	type ConversationId,
	type IdSource,
	type MessageId,
	conversationId as toConversationId,
	epoch as toEpoch,
	seq as toSeq,
} from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Agents } from "../ports/agents.ts";
import type { ChangeTracker } from "../ports/changes.ts";
import type { ConversationRow, CutHistory, ForkCut, Store } from "../ports/store.ts";

/** What a copy is made of. */
interface CopyOptions {
	cut: ForkCut;
	/** The message that the fork is told to begin at. */
	at: MessageId | null;
	forkKey: string | null;
	/** A prompt follows. */
	isEdited: boolean;
}

/** A conversation again, up to a cut, with its attachments and its agent's history. */
export interface Copies {
	/** Nobody sees it before all of it is there; when it rejects nothing is. */
	copy(source: ConversationRow, options: CopyOptions): Promise<ConversationRow>;
	/** What a crash left of forks that were being made goes, with files and the agent's copy. To be called before anybody can fork. */
	removeUnfinished(): Promise<void>;
	/** Attachments again for another conversation, by their old ids; one whose file is gone is left out. */
	attachments(ids: readonly string[], to: ConversationId): Promise<Map<string, string>>;
}

/** What a copy is made with. */
export interface CopyDeps {
	store: Pick<Store, "conversations" | "messages" | "attachments" | "durable">;
	agents: Pick<Agents, "find">;
	active: Pick<ActiveConversations, "find">;
	rows: Pick<ConversationRows, "getOpen">;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	tracker: Pick<ChangeTracker, "prepare">;
	/** The file again as another attachment of that conversation; undefined: it is gone. Nothing is copied without it. */
	copyAttachment?: ((id: string, to: ConversationId) => Promise<string | undefined>) | undefined;
	discardFiles?: ((paths: string[]) => Promise<void>) | undefined;
}

export function createCopies(deps: CopyDeps): Copies {
	const { store, clock, logger } = deps;

	async function attachments(ids: readonly string[], to: ConversationId): Promise<Map<string, string>> {
		const copied = new Map<string, string>();
		for (const id of ids) {
			const made = copied.get(id) ?? (await deps.copyAttachment?.(id, to));
			if (made !== undefined) copied.set(id, made);
		}
		return copied;
	}

	/** The agent's own session of the fork; null when it has to be told instead, or when there is nothing to remember. */
	async function forkSession(source: ConversationRow, fork: ConversationId, history: CutHistory): Promise<string | null> {
		const { sdkSessionId: sessionId, cwd, agent } = source;
		if (sessionId === null || history.at === "start" || history.at === "unknown") return null;
		const isBusy = deps.active.find(source.id)?.turn !== undefined;
		try {
			return (await deps.agents.find(agent)?.forkSession?.({ sessionId, newSessionId: fork, cwd, cut: history, isBusy })) ?? null;
		} catch (error) {
			logger.warn({ err: error, conversationId: source.id }, "The agent could not fork its session; it is told what was said instead");
			return null;
		}
	}

	async function copyMessages(from: ConversationId, to: ConversationId, cut: ForkCut): Promise<void> {
		const files = await attachments(cut.attachments, to);
		for (let after: number | undefined = 0; after !== undefined; ) {
			// Of one that was deleted meanwhile nothing would be copied, as if it had been empty.
			deps.rows.getOpen(from);
			after = store.messages.copyStep({ from, to, cut, after, attachments: files });
			// Other work goes on between two steps.
			if (after !== undefined) await new Promise<void>((resolve) => clock.soon(resolve));
		}
	}

	/** Nothing is left of a fork that could not be made. Its row goes last: as long as something may be left, the next start knows of it. */
	async function discard({ id, agent, sdkSessionId }: ConversationRow): Promise<void> {
		const files = store.attachments.ofConversation(id).map(({ path }) => path);
		try {
			await deps.discardFiles?.(files);
			if (sdkSessionId !== null) await deps.agents.find(agent)?.deleteSession(sdkSessionId);
		} catch (error) {
			logger.warn({ err: error, conversationId: id }, "Of a fork that failed, files or the agent's copy could not be removed");
		}
		// At once, or when the disk takes it: whoever asked for the fork need not wait for that.
		void retryWhileRefused(clock, () => store.conversations.delete(id)).catch((error: unknown) => notRemoved(id, error));
	}
	const notRemoved = (id: ConversationId, error: unknown) =>
		logger.warn({ err: error, conversationId: id }, "A fork that was not finished could not be removed");

	return {
		attachments,
		async removeUnfinished() {
			const left = store.conversations.forming().flatMap((id) => store.conversations.find(id) ?? []);
			for (const row of left) await discard(row).catch((error: unknown) => notRemoved(row.id, error));
		},
		async copy(source, { cut, at, forkKey, isEdited }) {
			const id = toConversationId(deps.ids.next());
			const now = clock.now();
			// Under this id the agent's copy will be, if it is one of ours: stored first, so that after a crash somebody knows of it.
			const forming: ConversationRow = {
				...source,
				...{ id, sdkSessionId: id, forkKey, forkedFrom: source.id, forkedAt: at, isForming: true, isContinued: false, untoldFrom: null },
				title: titleOf(source, cut, { isEdited, forks: store.conversations.countForks(source.id) }),
				...{ pinned: false, archived: false, status: "idle", epoch: toEpoch(deps.ids.next()), headSeq: toSeq(0) },
				...{ createdAt: now, updatedAt: now },
			};
			store.conversations.insert(forming);
			let made = forming;
			try {
				await store.durable();
				// The source may have gone on since: asked for now, with the place of then.
				const history = store.messages.historyBefore(source.id, cut.historyEnd);
				const sdkSessionId = await forkSession(source, id, history);
				const isTold = sdkSessionId !== null || history.at === "start";
				const known = { sdkSessionId, untoldFrom: (isTold ? cut.unanswered : cut.first) ?? null };
				store.conversations.update(id, known);
				made = { ...forming, ...known };
				await copyMessages(source.id, id, cut);
				store.conversations.update(id, { isForming: false });
				await store.durable();
			} catch (error) {
				await discard(made).catch((cause: unknown) => notRemoved(id, cause));
				throw error;
			}
			deps.tracker.prepare(source.cwd);
			return { ...made, isForming: false };
		},
	};
}

/** The source's with a number; of a fork that begins with other words, none: they name it. */
function titleOf({ title, titleFixed }: ConversationRow, cut: ForkCut, { isEdited, forks }: { isEdited: boolean; forks: number }): string {
	if (title === "" || (cut.first === undefined && isEdited && !titleFixed)) return "";
	return `${title.replace(/ \(\d+\)$/, "")} (${forks + 2})`;
}
