import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BotApiEmulator, createBotApiEmulator } from "../../support/bot-api/bot-api-emulator.ts";
import type { PersonChat } from "../../support/bot-api/people.ts";
import type { Message } from "../../support/bot-api/world.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { createGate, pause, stall, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";
import { startServer, type TestServer } from "../../support/server.ts";

let api: BotApiEmulator;
let model: ScriptedModel;
let server: TestServer;
let ann: PersonChat;
const ANN = { id: 1001, name: "Ann" };

beforeAll(async () => {
	api = await createBotApiEmulator();
	model = await startScriptedModel();
	server = await startServer({
		env: {
			RIGHTSEAT_PROVIDER_URL: model.url,
			RIGHTSEAT_PROVIDER_KEY: "test-key-1234",
			TELEGRAM_BOT_TOKEN: api.token,
			TELEGRAM_ALLOWED_USERS: String(ANN.id),
			TELEGRAM_API_ROOT: api.url,
		},
	});
	ann = api.private(ANN);
});
afterAll(async () => {
	await server.close();
	await model.close();
	await api.close();
});

const said = () => api.fromBot(ANN.id);
const texts = () => said().map((message) => message.text);

/** Looks again after every call that the bot makes. */
function until<T>(find: () => T | undefined, what: string): Promise<T> {
	return new Promise((resolve, reject) => {
		const look = () => {
			const found = find();
			if (found === undefined) return;
			clearTimeout(limit);
			off();
			resolve(found);
		};
		const off = api.onCall(look);
		const limit = setTimeout(() => {
			off();
			reject(new Error(`Waited in vain for ${what}. The chat: ${JSON.stringify(texts())}\n${server.output().slice(-2_000)}`));
		}, 40_000);
		look();
	});
}
const message = (part: string): Promise<Message> => until(() => said().find((each) => each.text.includes(part)), `“${part}”`);

test("[TG5] the whole server: a prompt from the chat reaches the agent, and the answer is in the chat and on the page", async () => {
	model.reply(text("Hello from **the agent**"));
	ann.text("hello agent");
	expect((await message("Hello from the agent")).entities).toMatchObject([{ type: "bold" }]);
	const { conversations } = await (await server.api("/api/conversations")).json();
	expect(conversations).toMatchObject([{ title: "hello agent" }]);
	const { messages } = await (await server.api(`/api/conversations/${conversations[0].id}/messages`)).json();
	expect(messages).toMatchObject([
		{ role: "user", content: "hello agent", metadata: { origin: "telegram" } },
		{ role: "assistant", content: "Hello from **the agent**" },
	]);
});

test("[TG56] the whole server: !cmd runs in the shell that the agent uses", async () => {
	ann.text("!export COLOUR=teal; echo set");
	await message("exit code 0");
	model.reply(toolCall("Bash", { command: "echo the colour is $COLOUR > colour.txt; cat colour.txt" }));
	model.reply(text("It is teal."));
	ann.text("which colour?");
	await message("It is teal.");
	expect(readFileSync(join(server.workdir, "colour.txt"), "utf8")).toBe("the colour is teal\n");
});

test("[TG70] the whole server: the agent sends a file of the working directory", async () => {
	writeFileSync(join(server.workdir, "report.txt"), "all good");
	model.reply(toolCall("send_file", { path: "report.txt", caption: "your report" }));
	model.reply(text("Sent it."));
	ann.text("send me the report");
	await message("Sent it.");
	const file = await until(() => said().find((each) => each.media !== undefined), "the file");
	expect(file).toMatchObject({ text: "your report", media: { filename: "report.txt" } });
	expect(Buffer.from(file.media?.bytes ?? []).toString()).toBe("all good");
});

test("[TG10] the whole server: a question of the agent is answered with a button", async () => {
	model.reply(toolCall("ask_user", { question: "Which flavour?", choices: ["Vanilla", "Mint"] }));
	model.reply(text("Mint it is."));
	ann.text("bring me ice cream");
	ann.tap(await message("Which flavour?"), "Mint");
	await message("Mint it is.");
	await message("✅ Mint");
});

test("[TG32] the whole server killed in mid-turn: the text that was shown arrives once, and the chat goes on", async () => {
	model.reply(text("The first half"), pause(1_500), text(" of it."), stall());
	ann.text("tell me a story");
	const status = await message("The first half of it.");
	expect(status.text).toContain("Working");
	server = await server.restart();
	await message("The server stopped while this answer was being written");
	await until(() => (status.deletedAt === undefined ? undefined : true), "the status to go");
	model.reply(text("The second half."));
	ann.text("Continue");
	await message("The second half.");
	expect(texts().filter((each) => each.startsWith("The first half"))).toHaveLength(1);
});

test("[TG31] the whole server killed while an answer was on its way: it is not sent again by itself", async () => {
	const answer = "Did this arrive?";
	// A turn of a second or more is shown in a status message, which has the answer's words as well.
	api.fault("sendMessage", { delayMs: 60_000, text: /^Did this arrive\?$/ });
	model.reply(text(answer));
	ann.text("answer quickly");
	await until(() => api.callsOf("sendMessage").find((call) => call.params.text === answer), "the send");
	server = await server.restart();
	const notice = await message("My last message may not have arrived");
	expect(texts()).not.toContain(answer);
	ann.tap(notice, "Send it again");
	await until(() => said().find((each) => each.text === answer), "the answer");
});

test("[TG9] the whole server: SIGTERM stops polling and ends in order, and what was written meanwhile is answered after the next start", async () => {
	const gate = createGate();
	model.reply(text("Interrupted "), waitFor(gate));
	ann.text("long work");
	await message("Interrupted");
	expect(await server.kill("SIGTERM")).toBe(0);
	gate.open();
	expect(api.updates.polling()).toBe(false);
	expect(existsSync(join(server.home, "rightseat.db"))).toBe(true);
	model.reply(text("Here I am."));
	ann.text("are you back?");
	server = await server.restart();
	await message("The server was stopped while this answer was being written");
	await message("Here I am.");
});
