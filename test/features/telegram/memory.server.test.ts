import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryLedger } from "../../../packages/server/src/core/kernel/memory-ledger.ts";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

const MIB = 1_048_576;

let bed: TelegramBed;
let workdir: string;
beforeEach(() => {
	workdir = mkdtempSync(join(tmpdir(), "rightseat-work-"));
});
afterEach(async () => {
	await bed.close();
	rmSync(workdir, { recursive: true, force: true });
});

test("[WS125] a chat's copy of a command's output is counted while it runs and given back with its result", async () => {
	const memory = createMemoryLedger();
	const held = () => memory.usage().accounts.telegram ?? 0;
	bed = await createTelegramBed({ workdir, memory });
	bed.ann.text("!make");
	const command = await bed.until(() => bed.shell.commands[0], "the command");
	command.output("x".repeat(50_000));
	await bed.advance(2_000, 500);
	expect(held()).toBe(100_000);
	command.finish();
	await bed.advance(2_000, 500);
	expect(held()).toBe(0);
});

test("[TG130] a file that there is no memory for is not fetched, and the person is told", async () => {
	const memory = createMemoryLedger(MIB);
	bed = await createTelegramBed({ workdir, memory });
	bed.ann.document(new Uint8Array(2 * MIB), { filename: "large.bin", caption: "look" });
	await bed.until(() => bed.said().some((message) => /memory/.test(message.text)), "the refusal");
	expect([bed.api.callsOf("getFile"), bed.saved, memory.usage().accounts.telegram]).toEqual([[], [], 0]);
	bed.ann.document(new Uint8Array(1_000), { filename: "small.bin", caption: "look" });
	(await bed.nextTurn()).end();
	expect([bed.saved.map((file) => file.name), memory.usage().accounts.telegram]).toEqual([["small.bin"], 0]);
	expect(memory.usage().peakBytes).toBeGreaterThanOrEqual(1_000);
});

test("[TG130] send_file counts what waits to be sent, and refuses what does not fit", async () => {
	const memory = createMemoryLedger(MIB);
	bed = await createTelegramBed({ workdir, memory });
	writeFileSync(join(workdir, "large.bin"), new Uint8Array(2 * MIB));
	writeFileSync(join(workdir, "small.bin"), new Uint8Array(1_000));
	const turn = await bed.ask("send me both");
	const tool = turn.options.tools.find((each) => each.name === "send_file");
	const results: unknown[] = [];
	for (const path of ["large.bin", "small.bin"]) {
		const call = { toolCallId: path, signal: new AbortController().signal, output: () => undefined };
		void tool?.run({ path }, call).then((result) => results.push([path, result]));
		await bed.until(() => results.some((each) => JSON.stringify(each).includes(path)), path);
	}
	expect(results).toEqual([
		["large.bin", { ok: false, text: expect.stringContaining("no memory for this file now") }],
		["small.bin", expect.objectContaining({ ok: true })],
	]);
	expect(memory.usage().accounts.telegram).toBe(0);
	turn.end();
});
