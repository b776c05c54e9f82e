import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { conversationId, epoch, randomIds } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { PROBE_INTERVAL_MS } from "../../../packages/server/src/store/health/storage-health.ts";
import { openStore } from "../../../packages/server/src/store/open-store.ts";
import { conversationRow } from "../../support/conversation-row.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

/** A disk of four megabytes of our own; only root can make one, others have the same rules tested by SQLite's own limit. */
const disk = mkdtempSync(join(tmpdir(), "rightseat-disk-"));
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]).status === 0;
const CHAT = conversationId("chat");
const path = join(disk, "rightseat.db");
const filler = join(disk, "filler");

afterAll(() => {
	if (isMounted) execFileSync("umount", ["-l", disk]);
	rmSync(disk, { recursive: true, force: true });
});

function open(at = path) {
	const clock = createFakeClock();
	return { ...openStore({ path: at, clock, logger: silentLogger, ids: randomIds }), clock };
}
const say = ({ store }: ReturnType<typeof open>, content: string) =>
	store.messages.addMessage(CHAT, { role: "user", content, metadata: {} });

function fillDisk() {
	const { bavail, bsize } = statfsSync(disk);
	writeFileSync(filler, Buffer.alloc(bavail * bsize));
}

test.runIf(isMounted)(
	"[ST37] a disk that fills up while the server runs: nothing half stored, reads go on, and it recovers by itself",
	async () => {
		const opened = open();
		opened.store.conversations.insert(conversationRow(CHAT, { title: "Disk", epoch: epoch("first") }));
		const stored: string[] = [];
		fillDisk();
		const write = () => {
			for (;;) stored.push(say(opened, `message ${stored.length} ${"x".repeat(2_000)}`).content);
		};
		expect(write).toThrow(expect.objectContaining({ code: "storage-read-only" }));
		expect(opened.health().state).toBe("read-only");
		expect([...opened.store.messages.iterate(CHAT)].map(({ message }) => message.content)).toEqual(stored);
		await opened.clock.advance(PROBE_INTERVAL_MS);
		expect(opened.health().state).toBe("read-only");

		rmSync(filler);
		await opened.clock.advance(PROBE_INTERVAL_MS);
		expect(opened.health()).toEqual({ state: "ok" });
		stored.push(say(opened, "after").content);
		expect([...opened.store.messages.iterate(CHAT)].map(({ message }) => message.content)).toEqual(stored);
		expect(opened.sql.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
		await opened.close();
	},
);

test.runIf(isMounted)("[ST37] a server on a full disk shows what it has, or says why it cannot start", async () => {
	fillDisk();
	expect(await startOnFullDisk()).toMatch(/^shows its messages$|The disk is full/);
	rmSync(filler);
	const after = open();
	expect(after.health()).toEqual({ state: "ok" });
	expect(say(after, "goes on").content).toBe("goes on");
	await after.close();
});

/** Without space for the 32 KiB of the -shm SQLite cannot open the database; it is there already after a crash. */
async function startOnFullDisk() {
	let opened: ReturnType<typeof open>;
	try {
		opened = open();
	} catch (error) {
		return String(error);
	}
	expect(() => say(opened, "x".repeat(500_000))).toThrow(expect.objectContaining({ code: "storage-read-only" }));
	const count = [...opened.store.messages.iterate(CHAT)].length;
	await opened.close();
	return count > 0 ? "shows its messages" : "shows nothing";
}

test.runIf(isMounted)("[ST39] a database on a read-only disk is refused with what to check", () => {
	const view = mkdtempSync(join(tmpdir(), "rightseat-view-"));
	execFileSync("mount", ["--bind", disk, view]);
	try {
		execFileSync("mount", ["-o", "remount,ro,bind", view]);
		const refusal = expect.objectContaining({ code: "storage-read-only", message: expect.stringContaining("Check that the file") });
		expect(() => open(join(view, "rightseat.db"))).toThrow(refusal);
		expect(() => open(join(view, "new", "rightseat.db"))).toThrow(refusal);
	} finally {
		execFileSync("umount", ["-l", view]);
		rmSync(view, { recursive: true, force: true });
	}
});
