import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { conversationId, randomIds, seq } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { openStore } from "../../../packages/server/src/store/open-store.ts";

const ROUNDS = 8;
const CHAT = conversationId("chat");
const home = mkdtempSync(join(tmpdir(), "rightseat-crash-"));
const path = join(home, "rightseat.db");
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("[ST42] what was acknowledged is there after the server was killed, in order and once, and the database is sound", async () => {
	let acknowledged = 0;
	for (let round = 1; round <= ROUNDS; round++) {
		const before = acknowledged;
		acknowledged = await writeUntilKilled(before + 20 * round + round ** 2);
		expect(acknowledged).toBeGreaterThan(before);
		await checkStore(acknowledged);
	}
}, 240_000);

/** Kills the writer at once when it has acknowledged `count`; returns what it has acknowledged by then. */
async function writeUntilKilled(count: number) {
	const writer = spawn(process.execPath, ["--import", "tsx", fileURLToPath(new URL("./store-crash-writer.ts", import.meta.url)), path], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	let output = "";
	const lastLine = () => Number(output.slice(0, output.lastIndexOf("\n")).split("\n").at(-1));
	writer.stdout.setEncoding("utf8").on("data", (text: string) => {
		output += text;
		if (lastLine() >= count) writer.kill("SIGKILL");
	});
	const [, signal] = await once(writer, "close");
	expect(signal).toBe("SIGKILL");
	return lastLine();
}

async function checkStore(acknowledged: number) {
	const opened = openStore({ path, clock: systemClock, logger: silentLogger, ids: randomIds });
	const { store, sql } = opened;
	expect(opened.wasClean).toBe(false);
	expect(opened.health()).toEqual({ state: "ok" });
	const conversation = store.conversations.find(CHAT);
	expect(conversation?.epoch).toBe("first");
	const head = conversation?.headSeq ?? 0;
	expect(head).toBeGreaterThanOrEqual(acknowledged);
	const expected = Array.from({ length: head }, (_, n) => n + 1);
	expect(store.events.after(CHAT, seq(0), head + 1).map((event) => event.seq)).toEqual(expected);
	expect([...store.messages.iterate(CHAT)].map(({ message }) => message.content)).toEqual(expected.map((n) => `word${n} 字${n}`));
	expect(await store.messages.search(`字${acknowledged}`)).toHaveLength(1);
	expect(sql.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
	await opened.close();
	const again = openStore({ path, clock: systemClock, logger: silentLogger, ids: randomIds });
	expect(again.wasClean).toBe(true);
	await again.close();
}
