import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BotApiEmulator, createBotApiEmulator } from "../../support/bot-api/bot-api-emulator.ts";
import { fleetCommand } from "../../support/fleet-command.ts";
import { hasNats, startNats, type TestNats } from "../../support/nats.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { createGate, text, waitFor } from "../../support/scripted-model-steps.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { writeToken } from "../../support/write-token.ts";

const ANN = { id: 1001, name: "Ann" };
/** Long, because the machine may be busy: what is awaited comes by itself. */
const until = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 60_000, interval: 100 });

/** One bot for two servers, with a real engine: what only processes that die and freeze can prove. */
describe.skipIf(!hasNats)("one bot for two servers", () => {
	let nats: TestNats;
	let api: BotApiEmulator;
	let model: ScriptedModel;
	let desk: TestServer;
	let laptop: TestServer;
	const homes: string[] = [];

	const fleet = (home: string, ...args: string[]) => fleetCommand(home, { RIGHTSEAT_FLEET_URL: nats.url }, ...args);
	function newHome(): string {
		const home = mkdtempSync(join(tmpdir(), "rightseat-fleet-"));
		homes.push(home);
		writeToken(home);
		return home;
	}
	const start = (home: string) =>
		startServer({
			home,
			env: {
				...{ RIGHTSEAT_FLEET_URL: nats.url, RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "test-key-1234" },
				...{ TELEGRAM_BOT_TOKEN: api.token, TELEGRAM_ALLOWED_USERS: String(ANN.id), TELEGRAM_API_ROOT: api.url },
				RIGHTSEAT_TITLES: "prompt",
			},
		});
	const bot = async (server: TestServer) => (await (await server.api("/api/telegram")).json()).status;
	const isHolder = (server: TestServer) => until(async () => expect(await bot(server)).toMatchObject({ state: "ok" }));
	const times = (words: string) => api.fromBot(ANN.id).filter((each) => each.text.includes(words)).length;

	/** A conversation of one host in Ann's chat, whose bot another host runs; its path there. */
	async function showInChat(owner: TestServer, holder: TestServer, title: string): Promise<string> {
		const { conversation } = await (await owner.api("/api/conversations", { method: "POST", json: { title } })).json();
		const shown = await until(async () => {
			const { conversations } = await (await holder.api("/api/conversations")).json();
			return conversations.find((each: { title: string }) => each.title === title) ?? expect.fail(`${title} is not listed.`);
		});
		const { code } = await (await holder.api("/api/telegram/links", { method: "POST", json: { conversationId: shown.id } })).json();
		api.private(ANN).text(`/link ${code}`);
		await until(() => expect(times(`This chat shows “${title}”`)).toBe(1));
		return `/api/conversations/${conversation.id}/messages`;
	}

	/** Ann asks, the answer is half there when `strike` hits the holder, and she writes on. */
	async function inMidAnswer(name: string, strike: () => void): Promise<void> {
		const gate = createGate();
		model.reply(text(`${name}: half of it.`), waitFor(gate), text(` ${name}: all of it.`));
		model.reply(text(`${name}: the second answer.`));
		api.private(ANN).text(`${name} first`);
		await until(() => expect(times(`${name}: half of it.`)).toBe(1));
		strike();
		api.private(ANN).text(`${name} second`);
		gate.open();
	}
	/** Each answer is in the chat once, and each prompt ran once. */
	async function expectOnce(name: string, owner: TestServer, path: string): Promise<void> {
		await until(() => expect([times(`${name}: all of it.`), times(`${name}: the second answer.`)]).toEqual([1, 1]));
		const { messages } = await (await owner.api(path)).json();
		expect(messages.map(({ role, content }: { role: string; content: string }) => `${role} ${content}`)).toEqual([
			...[`user ${name} first`, `assistant ${name}: half of it. ${name}: all of it.`],
			...[`user ${name} second`, `assistant ${name}: the second answer.`],
		]);
	}

	beforeAll(async () => {
		[nats, api, model] = await Promise.all([startNats(), createBotApiEmulator(), startScriptedModel()]);
		const [first, second] = [newHome(), newHome()];
		await fleet(first, "init", "--name", "desk");
		desk = await start(first);
		const code = await fleet(first, "invite");
		await fleet(second, "join", code, "--name", "laptop");
		laptop = await start(second);
		await isHolder(desk);
	}, 180_000);
	afterAll(async () => {
		await Promise.all([desk?.close(), laptop?.close()]);
		await Promise.all([nats?.close(), api?.close(), model?.close()]);
		for (const home of homes) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
	});

	test("[FL247] a holder that freezes in mid-answer, and one that is killed, is followed by the other: answers come once, and what was written meanwhile runs once", async () => {
		await until(async () => expect(await bot(laptop)).toMatchObject({ state: "stopped", problem: "elsewhere" }));
		const there = await showInChat(laptop, desk, "On the laptop");
		await inMidAnswer("one", () => process.kill(desk.pid, "SIGSTOP"));
		try {
			await isHolder(laptop);
			await expectOnce("one", laptop, there);
		} finally {
			process.kill(desk.pid, "SIGCONT");
		}
		// It wakes, and finds the bot taken.
		await until(async () => expect(await bot(desk)).toMatchObject({ state: "stopped", problem: "elsewhere" }));
		const here = await showInChat(desk, laptop, "On the desk");
		await inMidAnswer("two", () => void laptop.kill());
		await isHolder(desk);
		await expectOnce("two", desk, here);
		expect([times("one: all of it."), times("one: the second answer."), times("may not have arrived")]).toEqual([1, 1, 0]);
	}, 240_000);
});
