import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { MAX_INLINE_BYTES } from "../../inline-text.ts";
import { toPrompt } from "./prompt.ts";
import { readAnswer } from "./prompt-answer.ts";

const rules = { hasImages: true, hasEmbedded: false, swallowsSlash: false, commands: [], redact: (text: string) => text };
const input = (prompt: string) => ({ prompt, displayPrompt: prompt });

test("[AC55] pictures go along where the agent sees them; other files, and pictures for others, as links; half characters are replaced", async () => {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-prompt-"));
	const path = join(folder, "a.png");
	writeFileSync(path, "png");
	const attachments = [
		{ path, name: "a.png", mimeType: "image/png" },
		{ path: join(folder, "gone.png"), name: "gone.png", mimeType: "image/png" },
		{ path: "/x y/notes.txt", name: "notes.txt", mimeType: "text/plain" },
	];
	const link = { type: "resource_link", uri: "file:///x%20y/notes.txt", name: "notes.txt", mimeType: "text/plain" };
	const blocks = await toPrompt({ ...input("half \ud83d"), attachments }, rules);
	expect(blocks).toEqual([
		{ type: "image", mimeType: "image/png", data: Buffer.from("png").toString("base64") },
		expect.objectContaining({ type: "resource_link", name: "gone.png" }),
		link,
		{ type: "text", text: "half \ufffd" },
	]);
	expect((await toPrompt({ ...input("x"), attachments }, { ...rules, hasImages: false })).map(({ type }) => type)).toEqual([
		...["resource_link", "resource_link", "resource_link", "text"],
	]);
	rmSync(folder, { recursive: true });
});

test("[CX1] [AC55] an agent that takes files along with a prompt gets the words of small text files; others, and secrets, stay links", async () => {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-prompt-"));
	const file = (name: string, content: string) => {
		writeFileSync(join(folder, name), content);
		return { path: join(folder, name), name, mimeType: "text/plain" };
	};
	const attachments = [file("報告.txt", "一行"), file("long.txt", "x".repeat(MAX_INLINE_BYTES + 1)), file("secret.txt", "key-1")];
	const redact = (text: string) => text.replace("key-1", "***");
	const blocks = await toPrompt({ ...input("x"), attachments }, { ...rules, hasEmbedded: true, redact });
	const uri = pathToFileURL(join(folder, "報告.txt")).href;
	expect(blocks[0]).toEqual({ type: "resource", resource: { uri, mimeType: "text/plain", text: "一行" } });
	expect(blocks.map(({ type }) => type)).toEqual(["resource", "resource_link", "resource_link", "text"]);
	rmSync(folder, { recursive: true });
});

test("[AC56] an agent that swallows what it takes for a command gets a word before it, except before the commands that it knows", async () => {
	const wordsOf = async (prompt: string, swallowsSlash = true) =>
		(await toPrompt(input(prompt), { ...rules, swallowsSlash, commands: ["compact"] }))[0];
	expect(await wordsOf("/etc/hosts is wrong")).toEqual({ type: "text", text: "The message: /etc/hosts is wrong" });
	expect(await wordsOf("/compact now")).toEqual({ type: "text", text: "/compact now" });
	expect(await wordsOf("/etc/hosts", false)).toEqual({ type: "text", text: "/etc/hosts" });
});

test("[AC57] an answer to a prompt is one with a reason, whatever the reason; tokens are read however they are spelled", () => {
	expect(readAnswer({ stopReason: "banana", usage: { inputTokens: 1, outputTokens: 2 } })).toEqual({
		stopReason: "banana",
		tokens: { input: 1, output: 2 },
	});
	expect(readAnswer({ stopReason: "end_turn", usage: null })).toEqual({ stopReason: "end_turn", tokens: null });
	expect(readAnswer({ stopReason: "end_turn", _meta: { quota: { token_count: { input_tokens: 1, output_tokens: 2 } } } })?.tokens).toEqual({
		input: 1,
		output: 2,
	});
	for (const odd of [null, {}, "x", 7, [], { stopReason: null }]) expect(readAnswer(odd)).toBeUndefined();
});
