import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentTool } from "../../../packages/server/src/core/ports/agent-tool.ts";
import type { ScriptedTurn } from "../../support/scripted-runtime.ts";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
let workdir: string;
beforeEach(() => {
	workdir = mkdtempSync(join(tmpdir(), "rightseat-work-"));
});
afterEach(async () => {
	await bed.close();
	rmSync(workdir, { recursive: true, force: true });
});

const sendFileOf = (turn: ScriptedTurn): AgentTool => {
	const tool = turn.options.tools.find((each) => each.name === "send_file");
	if (tool === undefined) throw new Error("the agent has no send_file");
	return tool;
};

async function run(tool: AgentTool, args: unknown) {
	const call = { toolCallId: "t", signal: new AbortController().signal, output: () => undefined };
	const running = tool.run(args, call);
	let result: Awaited<typeof running> | undefined;
	void running.then((value) => {
		result = value;
	});
	return bed.until(() => result, "the tool");
}

test("[TG70] send_file sends a picture as a photo and other files as documents", async () => {
	bed = await createTelegramBed({ workdir });
	const turn = await bed.ask("send me the plot");
	const picture = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(2 * 1024 * 1024)]);
	writeFileSync(join(workdir, "plot.png"), picture);
	writeFileSync(join(workdir, "notes.txt"), "some notes");
	expect(await run(sendFileOf(turn), { path: "plot.png", caption: "the plot" })).toMatchObject({ ok: true });
	expect(bed.last()).toMatchObject({ text: "the plot", media: { kind: "photo", filename: "plot.png" } });
	expect(bed.last().media?.bytes.length).toBe(picture.length);
	expect(await run(sendFileOf(turn), { path: join(workdir, "notes.txt") })).toMatchObject({ ok: true });
	expect(bed.last().media).toMatchObject({ kind: "document", filename: "notes.txt" });
	bed.api.fault("sendPhoto", { code: 400, description: "Bad Request: PHOTO_INVALID_DIMENSIONS" });
	expect(await run(sendFileOf(turn), { path: "plot.png" })).toMatchObject({ ok: true });
	expect(bed.last().media).toMatchObject({ kind: "document", filename: "plot.png" });
	turn.end();
});

test("[TG236] nothing outside the working directory, no secret, nothing of ours and nothing too large leaves", async () => {
	const home = join(workdir, "state");
	mkdirSync(home);
	mkdirSync(join(workdir, ".git"));
	bed = await createTelegramBed({ workdir, config: { home } });
	const turn = await bed.ask("send me things");
	for (const name of [".env", ".env.local", "server.pem", ".git/config", "state/rightseat.db"]) writeFileSync(join(workdir, name), "x");
	symlinkSync("/etc/passwd", join(workdir, "innocent.txt"));
	symlinkSync(join(workdir, ".env"), join(workdir, "also-innocent.txt"));
	writeFileSync(join(workdir, "big.bin"), "");
	truncateSync(join(workdir, "big.bin"), 51 * 1024 * 1024);
	writeFileSync(join(workdir, "empty.txt"), "");
	const refused = [
		"../../etc/passwd",
		"/etc/passwd",
		"innocent.txt",
		"also-innocent.txt",
		".env",
		".env.local",
		"server.pem",
		".git/config",
		"state/rightseat.db",
		"big.bin",
		"empty.txt",
		"not-there.txt",
		".",
		"",
	];
	for (const path of refused) expect(await run(sendFileOf(turn), { path }), path).toMatchObject({ ok: false });
	expect(bed.api.callsOf("sendDocument")).toEqual([]);
	expect(bed.api.callsOf("sendPhoto")).toEqual([]);
	linkSync(join(workdir, "big.bin"), join(workdir, "same.bin"));
	turn.end();
});

test("[TG70] a conversation that no chat shows has nobody to send a file to", async () => {
	bed = await createTelegramBed({ workdir });
	writeFileSync(join(workdir, "notes.txt"), "some notes");
	const created = await bed.conversations.create({});
	const { conversationId } = await import("../../../packages/server/src/core/kernel/ids.ts");
	const [tool] = bed.channel.tools(conversationId(created.id));
	if (tool === undefined) throw new Error("there is a tool");
	expect(await run(tool, { path: "notes.txt" })).toEqual({
		ok: false,
		text: "No Telegram chat shows this conversation, so there is nobody to send the file to.",
	});
});

test("[TG235] a file whose confirmation was lost is not sent again", async () => {
	bed = await createTelegramBed({ workdir });
	const turn = await bed.ask("send me notes");
	writeFileSync(join(workdir, "notes.txt"), "some notes");
	bed.api.fault("sendDocument", { dropAfter: true });
	expect(await run(sendFileOf(turn), { path: "notes.txt" })).toMatchObject({ ok: true });
	expect(bed.said().filter((message) => message.media !== undefined)).toHaveLength(1);
	turn.end();
});
