import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { silentLogger } from "../../core/kernel/logger.ts";
import { temporaryHome } from "../store-harness.ts";
import { createDurability } from "./durability.ts";
import { createSyncThread, type Syncer } from "./sync-thread.ts";

/** A durability whose syncs end when the test says so. */
function manual() {
	const syncs: ((error?: Error) => void)[] = [];
	const syncer: Syncer = { sync: (done) => void syncs.push(done), close: async () => undefined };
	const failures: string[] = [];
	const durability = createDurability({ syncer, logger: silentLogger, onFailure: (error) => failures.push(error.message) });
	const log: string[] = [];
	const note = (text: string) => durability.after([{ run: () => log.push(text), lost: () => log.push(`lost: ${text}`) }]);
	return { durability, failures, log, note, asked: () => syncs.length, end: (error?: Error) => syncs.shift()?.(error) };
}

test("[ST100] a commit is durable when a sync that began after it has returned, and commits made meanwhile share the next one", () => {
	const { durability, log, note, asked, end } = manual();
	note("nothing to wait for");
	durability.committed();
	note("first");
	durability.committed();
	durability.committed();
	note("second");
	expect([log, asked()]).toEqual([["nothing to wait for"], 1]);
	end();
	expect([log, asked()]).toEqual([["nothing to wait for", "first"], 1]);
	end();
	expect([log, asked()]).toEqual([["nothing to wait for", "first", "second"], 0]);
});

test("[ST100] what waits keeps its order, also what is asked for by one that runs", async () => {
	const { durability, log, note, end } = manual();
	durability.committed();
	durability.after([{ run: () => note("asked for by the first") }, { run: () => void log.push("second") }]);
	const waited = durability.durable().then(() => log.push("promise"));
	end();
	await waited;
	expect(log).toEqual(["second", "asked for by the first", "promise"]);
	await durability.durable();
});

test("[ST100] whoever can wait is told when the disk is free, before the next sync begins", () => {
	const { durability, log, asked, end } = manual();
	durability.onFree(() => {
		log.push(`free, ${asked()} syncs`);
		if (log.length === 1) durability.committed();
	});
	durability.committed();
	expect(durability.busy()).toBe(true);
	end();
	expect([log, asked()]).toEqual([["free, 0 syncs"], 1]);
	end();
	expect([durability.busy(), log.length]).toEqual([false, 2]);
	const release = durability.hold();
	expect(durability.busy()).toBe(true);
	release();
	release();
	expect([durability.busy(), log.length]).toEqual([false, 3]);
});

test("[ST101] a sync that fails is told once, nothing that waited for it happens, nor anything that is asked for afterwards", async () => {
	const { durability, failures, log, note, end } = manual();
	durability.onFailed(() => log.push("failed"));
	durability.committed();
	note("shown");
	const waiting = durability.durable();
	durability.committed();
	note("committed meanwhile");
	expect(durability.hasFailed()).toBe(false);
	end(new Error("EIO"));
	await expect(waiting).rejects.toMatchObject({ code: "storage-read-only" });
	await expect(durability.durable()).rejects.toMatchObject({ code: "storage-read-only" });
	note("asked for afterwards");
	expect([durability.hasFailed(), failures]).toEqual([true, ["EIO"]]);
	expect(log).toEqual(["failed", "lost: shown", "lost: committed meanwhile", "lost: asked for afterwards"]);
});

test("[ST102] the sync is made by a thread of its own, again and again, and a file that is gone is a failure", async () => {
	const { path } = temporaryHome();
	writeFileSync(path, "some bytes");
	const thread = createSyncThread(path);
	const sync = (): Promise<Error | undefined> => new Promise((resolve) => thread.sync(resolve));
	expect([await sync(), await sync(), await sync()]).toEqual([undefined, undefined, undefined]);
	await thread.close();
	rmSync(path);
	const broken = createSyncThread(path);
	const error = await new Promise<Error | undefined>((resolve) => broken.sync(resolve));
	expect(error?.message).toContain("ENOENT");
	await broken.close();
});
