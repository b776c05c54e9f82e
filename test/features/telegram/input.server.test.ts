import { afterEach, expect, test } from "vitest";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";
import { startTranscriber } from "./transcriber.ts";

let bed: TelegramBed;
afterEach(() => bed.close());
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);

test("[TG40] a paste that the client cut in pieces is one prompt without a seam; a short text does not wait", async () => {
	bed = await createTelegramBed();
	const pasted = Array.from({ length: 9_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
	bed.ann.paste(pasted);
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toBe(pasted);
	turn.end();
	await bed.tick();
	const before = bed.clock.now();
	const hi = await bed.ask("hi");
	expect(bed.clock.now() - before).toBeLessThanOrEqual(100);
	hi.end();
});

test("[TG574] a paste whose pieces a crash left half handled is one prompt", async () => {
	bed = await createTelegramBed();
	const pasted = "word ".repeat(1_800).trim();
	const last = "SELECT max(update_id) FROM telegram_inbox";
	bed.opened.sql.exec(
		`CREATE TRIGGER half BEFORE UPDATE ON telegram_inbox WHEN new.state = 'done' AND new.update_id = (${last}) BEGIN SELECT RAISE(ABORT, 'dies here'); END`,
	);
	bed.ann.paste(pasted);
	await bed.advance(3_000);
	bed = await bed.crash({ meanwhile: () => bed.opened.sql.exec("DROP TRIGGER half") });
	await bed.advance(3_000);
	const prompts = bed.conversations.messages(bed.conversation(), { limit: 9 }).messages.filter(({ role }) => role === "user");
	expect(prompts.map(({ content }) => content)).toEqual([pasted]);
});

test("[TG578] what comes behind the first piece of a paste that was a prompt already is not lost by a crash", async () => {
	bed = await createTelegramBed();
	const first = "x".repeat(4_096);
	// As it is left of a conversation on another host, which stores the prompt itself: it is there, and not noted as handled.
	bed.opened.sql.exec(`CREATE TRIGGER no_done AFTER UPDATE ON telegram_inbox WHEN new.state = 'done' BEGIN
		UPDATE telegram_inbox SET state = old.state, payload = old.payload WHERE update_id = old.update_id; END`);
	bed.ann.text(first);
	await bed.advance(2_000);
	// The rest was taken in the moment in which the process died.
	const rest = "json_set(payload, '$.update_id', update_id + 1, '$.message.message_id', 99, '$.message.text', 'and the rest')";
	function meanwhile(): void {
		bed.opened.sql.exec(`DROP TRIGGER no_done; INSERT INTO telegram_inbox (bot_id, update_id, received_at, state, payload)
			SELECT bot_id, update_id + 1, received_at, state, ${rest} FROM telegram_inbox`);
	}
	bed = await bed.crash({ meanwhile });
	await bed.advance(3_000);
	const prompts = bed.conversations.messages(bed.conversation(), { limit: 9 }).messages.filter(({ role }) => role === "user");
	expect(prompts.map(({ content }) => content)).toEqual([first, "and the rest"]);
});

test("[TG579] that a message is a prompt or a command, and that it is handled, is one step: a crash leaves both or neither", async () => {
	bed = await createTelegramBed();
	const hello = await bed.ask("hello");
	hello.end();
	await bed.tick();
	const id = bed.conversation();
	const stored = () => ({
		prompts: bed.conversations.messages(id, { limit: 9 }).messages.filter(({ content }) => content === "paint").length,
		commands: bed.opened.sql.prepare("SELECT command FROM commands").all().length,
	});
	bed.opened.sql.exec(
		"CREATE TRIGGER no_done BEFORE UPDATE ON telegram_inbox WHEN new.state = 'done' BEGIN SELECT RAISE(ABORT, 'dies here'); END",
	);
	bed.ann.text("paint");
	bed.ann.text("!ls");
	await bed.advance(2_000);
	expect(stored()).toEqual({ prompts: 0, commands: 0 });
	bed = await bed.crash({ meanwhile: () => bed.opened.sql.exec("DROP TRIGGER no_done") });
	await bed.advance(3_000);
	expect(stored()).toEqual({ prompts: 1, commands: 1 });
});

test("[TG229] /stop while the rest of a paste is awaited drops it", async () => {
	bed = await createTelegramBed();
	bed.ann.text("x".repeat(4_096));
	await bed.tick();
	bed.ann.text("/stop");
	await bed.advance(3_000);
	expect(bed.last().text).toBe("Dropped what you were sending.");
	expect(bed.runtime.opened).toEqual([]);
	expect(bed.conversations.list().conversations).toEqual([]);
});

test("[TG48] a lone exclamation mark runs nothing and is no prompt", async () => {
	bed = await createTelegramBed();
	bed.ann.text("!");
	bed.ann.text("  !  ");
	await bed.advance(2_000);
	expect(bed.runtime.opened).toEqual([]);
	expect(bed.shell.commands).toEqual([]);
});

test("[TG113] a full-width exclamation mark runs a command in the shell, and alone it runs nothing", async () => {
	bed = await createTelegramBed();
	bed.ann.text("！");
	bed.ann.text("！ls");
	await bed.tick();
	expect(bed.shell.commands.map((command) => command.request.command)).toEqual(["ls"]);
	expect(bed.runtime.opened).toEqual([]);
});

test("[TG41] an album is one turn with all its pictures", async () => {
	bed = await createTelegramBed();
	bed.ann.album([PNG, PNG, PNG], "compare these");
	await bed.advance(1_200);
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toBe("compare these");
	expect(turn.input.attachments).toHaveLength(3);
	expect(bed.saved.map((file) => [...file.bytes])).toEqual([[...PNG], [...PNG], [...PNG]]);
	turn.end();
});

test("[TG72] a file is fetched again when the connection is cut before the answer", async () => {
	bed = await createTelegramBed();
	bed.api.fault("getFile", { dropBefore: true });
	bed.ann.document(new TextEncoder().encode("hello"), { filename: "a.txt", mimeType: "text/plain", caption: "read this" });
	const turn = await bed.nextTurn();
	expect(turn.input.attachments).toHaveLength(1);
	turn.end();
});

test("[TG42] a document becomes an attachment under a safe name; one that is too large is refused with a sentence", async () => {
	bed = await createTelegramBed();
	bed.ann.document(new TextEncoder().encode("hello"), { filename: "../../etc/pass\u0000wd", mimeType: "text/plain", caption: "read this" });
	const turn = await bed.nextTurn();
	expect(bed.saved.map(({ name, mimeType }) => ({ name, mimeType }))).toEqual([{ name: "pass_wd", mimeType: "text/plain" }]);
	expect(turn.input.displayPrompt).toBe("read this");
	turn.end();
	await bed.tick();
	bed.ann.document(PNG, { filename: "huge.zip", size: 21 * 1024 * 1024 });
	await bed.tick();
	expect(bed.last().text).toBe("⚠️ huge.zip is too large: at most 10 MB.");
	expect(bed.api.callsOf("getFile")).toHaveLength(1);
});

test("[TG43] a reply carries what it replies to", async () => {
	bed = await createTelegramBed();
	const first = await bed.ask("list two fruits");
	first.text("Apples\nPears");
	first.end();
	await bed.tick();
	bed.ann.reply(bed.last(), "more about the second");
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toBe("[In reply to]\n> Apples\n> Pears\n\nmore about the second");
	turn.end();
});

test("[TG44] forwarded text is a prompt with its source, never a command", async () => {
	bed = await createTelegramBed();
	bed.ann.forward("!rm -rf .");
	await bed.advance(1_200);
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toBe("[Forwarded from Somebody]\n!rm -rf .");
	expect(bed.shell.commands).toEqual([]);
	turn.end();
	await bed.tick();
	bed.ann.forward("/new");
	await bed.advance(1_200);
	(await bed.nextTurn()).end();
	expect(bed.conversations.list().conversations).toHaveLength(1);
});

test("[TG45] a voice message is transcribed, shown, and sent as a machine's transcript; it is never a command", async () => {
	const service = await startTranscriber({ status: 200, text: "what is the weather" });
	bed = await createTelegramBed({ config: { transcription: { url: service.url, key: "k1", model: "whisper-x" } } });
	bed.ann.voice(PNG);
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toBe("[Voice message, transcribed by a machine]\nwhat is the weather");
	await bed.until(() => bed.said().some((message) => message.text === "🎙 what is the weather"), "the transcript");
	expect(service.requests[0]?.authorization).toBe("Bearer k1");
	expect(service.requests[0]?.body).toContain("whisper-x");
	turn.end();
	service.reply = { status: 200, text: "!rm -rf ." };
	bed.ann.voice(PNG);
	const second = await bed.nextTurn();
	expect(second.input.displayPrompt).toContain("!rm -rf .");
	second.end();
	await bed.tick();
	service.reply = { status: 200, text: "/new" };
	bed.ann.voice(PNG);
	(await bed.nextTurn()).end();
	expect(bed.shell.commands).toEqual([]);
	expect(bed.conversations.list().conversations).toHaveLength(1);
	await bed.tick();
	service.reply = { status: 500 };
	bed.ann.voice(PNG);
	await bed.until(() => bed.said().some((message) => message.text === "⚠️ The transcription service answered 500."), "the error");
	service.close();
});

test("[TG45] without a transcription service the person is told how to get one", async () => {
	bed = await createTelegramBed();
	bed.ann.voice(PNG);
	await bed.tick();
	expect(bed.last().text).toContain("RIGHTSEAT_TRANSCRIBE_URL");
	expect(bed.api.callsOf("getFile")).toEqual([]);
});

test("[TG46] a message that was sent long ago is not run without asking", async () => {
	bed = await createTelegramBed();
	const meanwhile = () => {
		bed.ann.text("deploy it");
		bed.ann.text("and tell me");
	};
	bed = await bed.crash({ ms: 25 * 60_000, meanwhile });
	await bed.advance(3_000, 1_000);
	expect(bed.last().text).toMatch(/^You wrote this 25 min \d s ago, while I was away: “deploy it” and 1 more\. Run it now\?$/);
	expect(bed.runtime.opened).toEqual([]);
	bed.ann.tap(bed.last(), "Run it now");
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toBe("deploy it");
	expect(bed.conversations.queue(bed.conversation()).map((item) => item.content)).toEqual(["and tell me"]);
	turn.end();
});

test("[TG46] the help for what was sent while away needs no question", async () => {
	bed = await createTelegramBed();
	bed = await bed.crash({ ms: 25 * 60_000, meanwhile: () => void bed.ann.text("/help") });
	await bed.advance(3_000, 1_000);
	expect(bed.last().text).toContain("/stop stop what is running");
});

test("[TG46] a clock that goes wrong does not make every message look old", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/help");
	await bed.settle();
	const stamp = Math.floor(bed.clock.now() / 1000) - 3_600;
	bed.ann.text("run this", { date: stamp });
	(await bed.nextTurn()).end();
});

test("[TG47] a message that the bot cannot read is told so, not ignored", async () => {
	bed = await createTelegramBed();
	bed.ann.text("", { text: undefined, location: { latitude: 1, longitude: 2 } });
	await bed.tick();
	expect(bed.last().text).toContain("I cannot read");
});
