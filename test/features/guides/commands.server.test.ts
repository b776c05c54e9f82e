import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BotApiEmulator, createBotApiEmulator } from "../../support/bot-api/bot-api-emulator.ts";
import { createGuideAccount, type GuideAccount } from "../../support/guides/guide-account.ts";
import { type CommandBlock, readGuides } from "../../support/guides/read-guides.ts";
import { startPtyCli } from "../../support/pty-cli.ts";
import { lastUserText, type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { text } from "../../support/scripted-model-steps.ts";

// A block may start and end a server several times.
vi.setConfig({ testTimeout: 180_000 });

let model: ScriptedModel;
let telegram: BotApiEmulator;
let account: GuideAccount;
let otherMachine: GuideAccount;
beforeAll(async () => {
	model = await startScriptedModel({ models: ["qwen3-coder"] });
	model.default((request) => [text(`You said ${lastUserText(request)}`)]);
	telegram = await createBotApiEmulator();
	const env = { RIGHTSEAT_PROVIDER_URL: model.url, TELEGRAM_API_ROOT: telegram.url };
	account = createGuideAccount(env);
	otherMachine = createGuideAccount({});
	expect(await account.run("rightseat service install")).toMatchObject({ exit: 0 });
});
afterAll(async () => {
	await account?.close();
	await otherMachine?.close();
	await telegram?.close();
	await model?.close();
});

/** What only the reader can know, and addresses of others: tests talk to this machine only. */
async function asHere(command: string): Promise<string> {
	const places = new Map([
		["https://api.openai.com/v1", model.url],
		["http://127.0.0.1:11434/v1", model.url],
		["https://seat.example.org", "https://127.0.0.1:9"],
		["123456:ABC-DEF", telegram.token],
	]);
	let here = command;
	for (const [theirs, ours] of places) here = here.replaceAll(theirs, ours);
	return /\bID\b/.test(here) ? here.replaceAll(/\bID\b/g, await newestConversation()) : here;
}

async function newestConversation(): Promise<string> {
	const { output } = await account.run("rightseat ls --json");
	const { id }: { id: string } = JSON.parse(output.split("\n")[0] ?? "");
	return id;
}

async function runBlock({ kind, text: command }: CommandBlock): Promise<{ exit: number | string; output: string }> {
	const here = await asHere(command);
	switch (kind) {
		case "run":
			return await account.run(here, /\bread -/.test(here) ? "a-key-that-is-typed\n" : "");
		case "start":
			return await account.start(here);
		case "other-machine":
			copyFileSync(join(account.cwd, "rightseat-copy.tgz"), join(otherMachine.cwd, "rightseat-copy.tgz"));
			return await otherMachine.run(here);
		case "terminal": {
			const pty = startPtyCli(here.trim().split(" ").slice(1), { home: join(account.userHome, ".rightseat") });
			await pty.until(/\d+\D*$/);
			pty.type("\r");
			await pty.until(/Ctrl-D leaves[\s\S]*› /);
			pty.type("\u0004");
			return { exit: await pty.exited, output: pty.text() };
		}
		case "outside":
			return { exit: 0, output: "" };
	}
}

for (const { name, blocks } of readGuides("en").filter((guide) => guide.blocks.length > 0))
	test(`[DC3] every command of ${name} does what it says, one after the other`, async () => {
		for (const block of blocks) {
			const { exit, output } = await runBlock(block);
			expect({ at: block.at, exit, output: exit === 0 ? "" : output }).toEqual({ at: block.at, exit: 0, output: "" });
			if (block.kind === "start") expect(output, block.at).toMatch(/^Rightseat is ready on http/m);
		}
	});

test("[DC3] what the guides promise of these commands has happened", async () => {
	const asked = model.requests.map(lastUserText);
	for (const words of ["Why does the test fail?", "Write the tests", "Review the last commit", "Say hello"])
		expect(asked.filter((prompt) => prompt.includes(words))).toHaveLength(1);
	// What `git diff` printed went with it.
	expect(asked.find((prompt) => prompt.includes("Look for mistakes"))).toContain("With a second line.");
	const file = (name: string) => readFileSync(join(account.userHome, ".rightseat", name), "utf8");
	expect(file("service.env")).toContain("RIGHTSEAT_PROVIDER_KEY=a-key-that-is-typed\n");
	const listed = async (machine: GuideAccount) =>
		(await machine.run("rightseat ls --all --json")).output.match(/"id":"[\w-]+"/g)?.length ?? 0;
	expect(await listed(otherMachine)).toBeGreaterThan(2);
});
