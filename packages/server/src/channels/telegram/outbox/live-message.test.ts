import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createLiveMessage } from "./live-message.ts";
import { createSendQueue } from "./send-queue.ts";

/** A message in a chat, on a disk that can refuse. */
async function openLive({ refuses } = { refuses: false }) {
	const clock = createFakeClock();
	const called: string[] = [];
	const disk = { refuses };
	const telegram = { holdsBack: 0 };
	const write = () => {
		if (disk.refuses) throw new AppError("storage-read-only", "The disk is full.");
	};
	const queue = createSendQueue({ clock, isGroup: false, onIdle: () => undefined });
	const live = createLiveMessage({
		...{ thread: { chatId: 1 }, options: { silent: true, leftover: "It ended." }, key: "live:1", queue: () => queue, clock },
		...{
			afterCommit: (run: () => void) => run(),
			store: { add: write, forget: write, check: write },
			isMuted: () => false,
			mayRead: () => true,
			logger: silentLogger,
		},
		client: {
			async sendText(_, { text }) {
				if (telegram.holdsBack-- > 0) return { kind: "refused", code: 429, description: "later", retryAfterMs: 5_000 };
				called.push(`send ${text}`);
				return { kind: "ok", result: { message_id: 5, date: 0, chat: { id: 1, type: "private", first_name: "Ann" } } };
			},
			async editText(_, __, { text }) {
				called.push(`edit ${text}`);
				return { kind: "ok", result: true };
			},
			async deleteMessage() {
				called.push("delete");
				return { kind: "ok", result: true };
			},
		},
	});
	live.set({ text: "working", entities: [] });
	await clock.advance(10);
	expect(called).toEqual(refuses ? [] : ["send working"]);
	return { clock, called, disk, live, telegram };
}

test("[TG73] a live message is not sent while the disk refuses to note it, and says the newest when it is", async () => {
	const { clock, called, disk, live } = await openLive({ refuses: true });
	await clock.advance(5_000);
	live.set({ text: "still working", entities: [] });
	await clock.advance(5_000);
	expect(called).toEqual([]);
	disk.refuses = false;
	await clock.advance(2_000);
	expect(called).toEqual(["send still working"]);
});

test("[TG73] a live message that is to go before the disk takes a note of it is never sent", async () => {
	const { clock, called, disk, live } = await openLive({ refuses: true });
	live.remove();
	disk.refuses = false;
	await clock.advance(5_000);
	expect(called).toEqual([]);
});

test("[TG583] a live message may be seen from the moment in which it leaves, not while the disk or Telegram holds it back", async () => {
	const { clock, disk, live, telegram } = await openLive({ refuses: true });
	expect(live.mayBeSeen()).toBe(false);
	telegram.holdsBack = 2;
	disk.refuses = false;
	await clock.advance(1_500);
	expect(live.mayBeSeen()).toBe(false);
	await clock.advance(20_000);
	expect(live.mayBeSeen()).toBe(true);
	live.remove();
	expect(live.mayBeSeen()).toBe(false);
});

test("[TG563] a live message that is to go while the disk refuses writes goes when it accepts them again", async () => {
	const { clock, called, disk, live } = await openLive();
	disk.refuses = true;
	live.remove();
	await clock.advance(5_000);
	expect(called).toEqual(["send working"]);
	disk.refuses = false;
	await clock.advance(2_000);
	expect(called).toEqual(["send working", "delete"]);
});

test("[TG563] the last words of a live message that the disk refuses to note are shown when it accepts them again", async () => {
	const { clock, called, disk, live } = await openLive();
	disk.refuses = true;
	live.finish({ text: "answered", entities: [] });
	await clock.advance(5_000);
	expect(called).toEqual(["send working"]);
	disk.refuses = false;
	await clock.advance(2_000);
	expect(called).toEqual(["send working", "edit answered"]);
});

test("[TG560] a message that is to go while its send is on the way is noted until it is gone", async () => {
	const clock = createFakeClock();
	const seen: string[] = [];
	let confirm: () => void = () => undefined;
	let deleted: () => void = () => undefined;
	const queue = createSendQueue({ clock, isGroup: false, onIdle: () => undefined });
	const live = createLiveMessage({
		...{ thread: { chatId: 1 }, options: { silent: true }, key: "live:1", queue: () => queue, clock },
		...{ afterCommit: (run: () => void) => run(), isMuted: () => false, mayRead: () => true, logger: silentLogger },
		store: {
			add: (_, id, leftover) => void seen.push(`noted ${id} ${leftover}`),
			forget: (_, id) => void seen.push(`forgotten ${id}`),
			check: () => undefined,
		},
		client: {
			sendText: () =>
				new Promise((resolve) => {
					const result = { message_id: 5, date: 0, chat: { id: 1, type: "private", first_name: "Ann" } } as const;
					confirm = () => resolve({ kind: "ok", result });
				}),
			editText: async () => ({ kind: "ok", result: true }),
			deleteMessage: () =>
				new Promise((resolve) => {
					deleted = () => resolve({ kind: "ok", result: true });
				}),
		},
	});
	live.set({ text: "queued", entities: [] });
	await clock.advance(10);
	live.remove();
	confirm();
	await clock.advance(10);
	expect(seen).toEqual(["noted 5 undefined"]);
	deleted();
	await clock.advance(10);
	expect(seen).toEqual(["noted 5 undefined", "forgotten 5"]);
});
