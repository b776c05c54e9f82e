import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { AppError } from "../kernel/errors.ts";
import { silentLogger } from "../kernel/logger.ts";
import { RETRY_MS, retryUntilStored, retryWhileRefused } from "./storage-retry.ts";

/** Fails so many times, then succeeds. */
function failing(times: number, error: Error) {
	let attempts = 0;
	return {
		attempts: () => attempts,
		write() {
			attempts += 1;
			if (attempts <= times) throw error;
		},
	};
}

test.each(["storage-read-only", "storage-busy"] as const)(
	"[EV223] what people have seen is stored when the disk no longer refuses (%s)",
	async (code) => {
		const clock = createFakeClock();
		const disk = failing(3, new AppError(code, "not now"));
		let isStored = false;
		void retryUntilStored({ clock, logger: silentLogger }, disk.write).then(() => {
			isStored = true;
		});
		await clock.advance(2 * RETRY_MS);
		expect([disk.attempts(), isStored]).toEqual([3, false]);
		await clock.advance(RETRY_MS);
		expect([disk.attempts(), isStored]).toEqual([4, true]);
		expect(clock.pending()).toBe(0);
	},
);

test.each([
	["a conversation that is gone", new AppError("conversation-not-found", "gone")],
	["any other fault", new TypeError("a bug")],
])("[EV223] %s ends the attempts, and nobody is told by a rejection", async (_, error) => {
	const clock = createFakeClock();
	const disk = failing(1, error);
	await retryUntilStored({ clock, logger: silentLogger }, disk.write);
	expect([disk.attempts(), clock.pending()]).toEqual([1, 0]);
});

test("[EV223] work of a caller who wants to know is retried too, until it is over; another fault is the caller's", async () => {
	const clock = createFakeClock();
	const disk = failing(1, new AppError("storage-busy", "not now"));
	const done = retryWhileRefused(clock, disk.write);
	await clock.advance(RETRY_MS);
	await done;
	expect(disk.attempts()).toBe(2);
	await expect(retryWhileRefused(clock, failing(1, new TypeError("a bug")).write)).rejects.toThrow("a bug");
	const over = failing(9, new AppError("storage-busy", "not now"));
	await expect(retryWhileRefused(clock, over.write, () => true)).rejects.toThrow("not now");
});
