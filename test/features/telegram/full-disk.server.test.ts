import { afterEach, expect, test } from "vitest";
import { PROBE_INTERVAL_MS } from "../../../packages/server/src/store/health/storage-health.ts";
import type { OpenedStore } from "../../../packages/server/src/store/open-store.ts";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

/** SQLite refuses to grow the file, with the error of a full disk. */
function fill({ sql, store }: OpenedStore): void {
	sql.prepare("PRAGMA max_page_count = 1").get();
	expect(() => store.settings.set("large", "x".repeat(1_000_000))).toThrow("disk is full");
}

async function free({ opened, advance }: TelegramBed): Promise<void> {
	opened.sql.prepare("PRAGMA max_page_count = 1000000").get();
	await advance(PROBE_INTERVAL_MS + 1_000, 1_000);
}

async function crashedOnFullDisk(): Promise<TelegramBed> {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	await bed.advance(2_000);
	bed.api.fault("sendMessage", { code: 429, retryAfter: 60 });
	turn.text("may have arrived");
	turn.end();
	await bed.tick();
	const meanwhile = () => {
		// As a process leaves it that died while it sent.
		expect(bed.opened.sql.prepare("UPDATE telegram_outbox SET state = 'sending' WHERE state = 'pending'").run()).toEqual({ changes: 1 });
		fill(bed.opened);
	};
	return bed.crash({ meanwhile });
}

test("[TG576] on a full disk the channel starts, says so, and neither fetches nor sends; when there is room it goes on by itself", async () => {
	bed = await crashedOnFullDisk();
	const polls = bed.api.callsOf("getUpdates").length;
	bed.ann.text("written meanwhile");
	await bed.advance(5_000, 1_000);
	expect(bed.channel.status()).toMatchObject({ state: "degraded", problem: "disk", message: expect.stringContaining("disk") });
	expect(bed.api.callsOf("getUpdates")).toHaveLength(polls);
	await free(bed);
	expect(bed.channel.status()).toMatchObject({ state: "ok" });
	expect(bed.said().filter((message) => message.text.includes("My last message may not have arrived"))).toHaveLength(1);
	const turn = await bed.nextTurn();
	expect(turn.input.prompt).toContain("written meanwhile");
});

test("[TG576] stopped while it waits for the disk, the channel starts no more", async () => {
	bed = await crashedOnFullDisk();
	await bed.channel.close();
	const calls = bed.api.calls.length;
	await free(bed);
	expect(bed.api.calls).toHaveLength(calls);
	expect(bed.channel.status().state).toBe("stopped");
});
