import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import { Refusal } from "./refusal.ts";

export type Update = { update_id: number } & Record<string, unknown>;

const KEPT = 20;

/** Updates for the bot with the long poll in front: redelivered until confirmed by a higher offset, one waiter only. */
export function createUpdateQueue(clock: Clock) {
	let nextId = 1000;
	let waiting: Update[] = [];
	let newest: Update[] = [];
	let poll: { answer(): void; refuse(error: Refusal): void; leave(): void } | undefined;

	return {
		push(kind: string, value: object): number {
			const update: Update = { update_id: nextId, [kind]: value };
			nextId += 1;
			waiting.push(update);
			newest = [...newest, update].slice(-KEPT);
			poll?.answer();
			return update.update_id;
		},
		/** Hands an update out once more, as Telegram does when a confirmation was lost; in the order of their numbers, as ever. */
		again(update: Update): void {
			waiting = [update, ...waiting.filter((each) => each.update_id !== update.update_id)].sort((a, b) => a.update_id - b.update_id);
			poll?.answer();
		},
		pending: () => [...waiting],
		/** The newest ones, confirmed or not, oldest first. */
		newest: () => newest,
		polling: () => poll !== undefined,
		/** The poller is gone without a word. */
		leave(): void {
			poll?.leave();
		},
		/** Takes the slot from whoever waits, as a second instance with the same token would. */
		steal(): void {
			poll?.refuse(conflict());
		},
		get(request: { offset: number; limit: number; timeoutMs: number; allowed: string[] | undefined }): {
			result: Promise<Update[]>;
			leave(): void;
		} {
			poll?.refuse(conflict());
			if (request.offset > 0) waiting = waiting.filter((update) => update.update_id >= request.offset);
			const ready = () => waiting.filter((update) => isAllowed(update, request.allowed)).slice(0, request.limit);
			let leave: () => void = () => undefined;
			const result = new Promise<Update[]>((resolve, reject) => {
				const found = ready();
				if (found.length > 0 || request.timeoutMs === 0) return resolve(found);
				const end = () => {
					cancel();
					if (poll === mine) poll = undefined;
				};
				const mine = {
					answer: () => {
						const updates = ready();
						if (updates.length === 0) return;
						end();
						resolve(updates);
					},
					refuse: (error: Refusal) => {
						end();
						reject(error);
					},
					leave: () => {
						end();
						resolve([]);
					},
				};
				const cancel: () => void = clock.after(request.timeoutMs, () => {
					end();
					resolve([]);
				});
				poll = mine;
				leave = mine.leave;
			});
			return { result, leave: () => leave() };
		},
	};
}
export type UpdateQueue = ReturnType<typeof createUpdateQueue>;

const conflict = () =>
	new Refusal(409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running");

const isAllowed = (update: Update, allowed: string[] | undefined) =>
	allowed === undefined || allowed.length === 0 || allowed.some((kind) => kind in update);
