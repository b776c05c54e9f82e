import { isStorageRefusal } from "../active/storage-retry.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Clock } from "../kernel/clock.ts";
import { type AppError, toAppError } from "../kernel/errors.ts";
import { type ConversationId, conversationId as toConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { RunError, RunRow, ScheduleRow, ScheduleStore } from "../ports/schedule-store.ts";
import { promptIdOf } from "./prompt-id.ts";
import type { RunResults } from "./run-results.ts";

/** Runs of one schedule that are remembered one by one, so that none of their times is used again. */
export const MAX_KEPT_RUNS = 100;

/** A run to be claimed; without `due` a person wanted it. */
export interface WantedRun {
	key: string;
	due: number | null;
}

/** Claims runs and sends their prompts. A claim is on disk before its prompt is, and no time is claimed twice. */
export interface Runs {
	/** In one transaction: claimed, and whatever else changes with it. False: it was claimed before. */
	claim(row: ScheduleRow, run: WantedRun, patch: Partial<ScheduleRow>): boolean;
	/** Sends the prompt of a claimed run, unless that was done. Rejects when it could not be begun; what that means is for the caller to store. */
	send(row: ScheduleRow, key: string, by: "person" | "clock"): Promise<void>;
	/** In one transaction: it was not begun, and whatever else changes with that. A crash between the two would leave a time that nobody is told of. */
	fail(run: Pick<RunRow, "scheduleId" | "key">, error: RunError, patch: Partial<ScheduleRow>): void;
	isSending(row: Pick<ScheduleRow, "id">): boolean;
}

export function createRuns(deps: {
	store: ScheduleStore;
	conversations: Pick<Conversations, "create" | "update" | "prompt" | "find">;
	results: Pick<RunResults, "watch">;
	clock: Pick<Clock, "now">;
	logger: Logger;
}): Runs {
	const { store, conversations } = deps;
	const sending = new Map<string, Promise<void>>();

	/** The one of the schedule, or a new one; one that an earlier attempt made is used. */
	async function conversationOf({ where }: ScheduleRow, run: RunRow): Promise<ConversationId> {
		if ("conversationId" in where) return where.conversationId;
		if (run.conversationId !== null && conversations.find(run.conversationId) !== undefined) return run.conversationId;
		const { permissions, ...wanted } = where.conversation;
		const id = toConversationId((await conversations.create(wanted)).id);
		store.updateRun(run.scheduleId, run.key, { conversationId: id });
		if (permissions !== undefined) await conversations.update(id, { permissions });
		return id;
	}
	/** Nothing is lost when this cannot be stored now: what became of a prompt is found by its id. */
	function note(run: RunRow, sent: Pick<RunRow, "conversationId" | "messageId" | "outcome">): void {
		try {
			store.updateRun(run.scheduleId, run.key, sent);
		} catch (error) {
			deps.logger.warn({ err: error, scheduleId: run.scheduleId, run: run.key }, "It could not be noted that a scheduled prompt was sent");
		}
	}
	async function sendNow(row: ScheduleRow, run: RunRow, by: "person" | "clock"): Promise<void> {
		try {
			const conversationId = await conversationOf(row, run);
			const { messageId, delivery } = conversations.prompt({
				...{ conversationId, prompt: row.prompt, clientMessageId: promptIdOf(run), origin: "api" },
				...(by === "clock" ? { unattended: true } : {}),
			});
			deps.results.watch(conversationId);
			note(run, { conversationId, messageId, outcome: delivery === "dropped" ? "dropped" : delivery === "queued" ? "queued" : "running" });
		} catch (error) {
			deps.logger.warn({ err: error, scheduleId: row.id, run: run.key }, "A scheduled prompt could not be sent");
			throw toAppError(error);
		}
	}

	return {
		claim: (row, { key, due }, patch) =>
			store.transaction(() => {
				const conversationId = "conversationId" in row.where ? row.where.conversationId : null;
				const isNew = store.claim({ scheduleId: row.id, key, due, claimedAt: deps.clock.now(), conversationId });
				const forgotten = store.forgetRuns(row.id, MAX_KEPT_RUNS);
				const forgottenThrough = Math.max(row.forgottenThrough, forgotten ?? 0);
				// A time that a wrong clock let pass and that has come after all is not missed.
				const missed = row.missed?.due === due ? undefined : row.missed;
				store.update(row.id, { forgottenThrough, missed, ...patch });
				return isNew;
			}),
		async send(row, key, by) {
			const run = store.findRun(row.id, key);
			const name = promptIdOf({ scheduleId: row.id, key });
			const earlier = sending.get(name);
			if (earlier !== undefined || run?.outcome !== "starting") return earlier;
			const sent = sendNow(row, run, by).finally(() => sending.delete(name));
			sending.set(name, sent);
			return sent;
		},
		fail: ({ scheduleId, key }, error, patch) =>
			store.transaction(() => {
				store.updateRun(scheduleId, key, { outcome: "failed", error });
				store.update(scheduleId, patch);
			}),
		isSending: ({ id }) => [...sending.keys()].some((name) => name.startsWith(promptIdOf({ scheduleId: id, key: "" }))),
	};
}

/** Whether trying again may help, without anybody doing anything. */
export const isPassing = (error: unknown): boolean => isStorageRefusal(error) || toAppError(error).code === "shutting-down";

/** As it is told with the schedule. */
export const errorOf = ({ code, message, params }: AppError): RunError => ({ code, message, ...(params === undefined ? {} : { params }) });
