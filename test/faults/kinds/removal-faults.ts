import type { Message } from "@rightseat/protocol/model/message";
import { pause, type Step, text } from "../../support/scripted-model-steps.ts";
import { promptsOfChats } from "../chats.ts";
import type { Fault } from "../fault.ts";
import { ALLOWED, ANN, CAT } from "../history.ts";
import { quiet, until } from "../quiet.ts";
import type { Random } from "../random.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";

/** A person loses their access in the middle of an answer: nothing of any conversation may reach them any more. */
export const REMOVAL_FAULTS: Fault[] = [
	{
		name: "removed-person",
		breaks: "a paired person is removed in mid-answer, and the server is killed after it",
		restarts: true,
		shows: [{ anyOf: ["lost"] }],
		async inject(world, random, struck) {
			await quiet(world);
			const person = { id: random.between(100_000, 900_000), name: "Ben" };
			await pair(world, person);
			const { conversationId, secret, newestWord } = await askSlowly(world, random, person);
			const removed = await world.server.api(`/api/telegram/people/${person.id}`, { method: "DELETE" });
			if (removed.status !== 204) throw new Error(`The removal answered ${removed.status}.`);
			const known = newestWord();
			// The answer goes on; whatever it says from now on is not theirs to read.
			await wait(2_500);
			struck();
			await world.server.kill("SIGKILL");
			await world.revive();
			const revivedAt = Date.now();
			refuseWords(world, person.id, known);
			await answerOnPage(world, conversationId, secret);
			refuseCalls(world, person.id, revivedAt);
			const knock = `let-me-in-${person.id}`;
			const before = world.telegram.fromBot(person.id).length;
			world.telegram.private(person).text(knock);
			await until("A new code for the person who was removed", () => world.telegram.fromBot(person.id).length > before, 30_000);
			if ((await promptsOfChats(world)).includes(knock)) throw new Error("A person who was removed reached the agent.");
			const said = world.telegram.fromBot(person.id).slice(before);
			if (said.length !== 1 || said[0]?.text.includes(secret) === true || !CODE.test(said[0]?.text ?? ""))
				throw new Error(`A person who was removed was told: ${JSON.stringify(said.map((message) => message.text))}`);
			refuseCalls(world, person.id, revivedAt, said[0]?.text);
			refuseText(world, person.id, secret);
		},
	},
	{
		name: "unlisted-person",
		breaks: "a person is taken out of TELEGRAM_ALLOWED_USERS over a restart in mid-answer, and the server is killed after it",
		restarts: true,
		shows: [{ anyOf: ["lost"] }],
		async inject(world, random, struck) {
			await quiet(world);
			const { conversationId, secret } = await askSlowly(world, random, CAT);
			struck();
			world.server = await world.server.restart({ TELEGRAM_ALLOWED_USERS: String(ANN.id), RIGHTSEAT_TELEGRAM_PAIRING: "off" });
			const unlistedAt = Date.now();
			await answerOnPage(world, conversationId, secret);
			await world.server.kill("SIGKILL");
			await world.revive();
			await answerOnPage(world, conversationId, secret);
			refuseCalls(world, CAT.id, unlistedAt);
			refuseText(world, CAT.id, secret);
		},
		async heal(world) {
			world.server = await world.server.restart({ TELEGRAM_ALLOWED_USERS: ALLOWED, RIGHTSEAT_TELEGRAM_PAIRING: "on" });
		},
	},
];

const CODE = /\b[0-9A-F]{4}-[0-9A-F]{4}\b/;
const WORD_MS = 250;
const STREAM_MS = 10_000;

/** A stranger writes, and somebody on the page types the code that they got. */
async function pair(world: World, person: { id: number; name: string }): Promise<void> {
	const code = () =>
		world.telegram
			.fromBot(person.id)
			.map((message) => CODE.exec(message.text)?.[0])
			.find((each) => each !== undefined);
	world.telegram.private(person).text("hello");
	await until("The pairing code", () => code() !== undefined, 30_000);
	const answer = await world.server.api("/api/telegram/pairings", { method: "POST", json: { code: code() } });
	if (!answer.ok) throw new Error(`The pairing answered ${answer.status}.`);
	await until("The welcome", () => world.telegram.fromBot(person.id).some((message) => message.text.includes("Welcome")));
}

/** The person asks, and the answer streams into their chat for longer than the fault lasts; it ends with the secret. */
async function askSlowly(world: World, random: Random, person: { id: number; name: string }) {
	const mark = random.between(0, 1e9);
	const [prompt, secret] = [`asked-by-${person.id}-${mark}`, `secret-${mark}`];
	const steps: Step[] = Array.from({ length: STREAM_MS / WORD_MS }, (_, word) => [text(`word-${mark}-${word} `), pause(WORD_MS)]).flat();
	const before = world.model.unused;
	world.model.reply(...steps, text(secret));
	const askedAt = Date.now();
	world.telegram.private(person).text(prompt);
	await until("The model's request", () => world.model.unused === before, 30_000);
	await until("The answer in the chat", () => world.telegram.fromBot(person.id).some((message) => message.text.includes(`word-${mark}`)));
	/** The newest word that can have been said by now: a pause is never shorter than it should be. */
	const newestWord = () => ({ mark, word: Math.ceil((Date.now() - askedAt) / WORD_MS) });
	return { conversationId: await conversationOf(world, prompt), secret, newestWord };
}

/** Something more is said in the conversation that the person could read before; its answer has the secret too. */
async function answerOnPage(world: World, conversationId: string, secret: string): Promise<void> {
	const path = `/api/conversations/${conversationId}/messages`;
	const prompt = `${secret} again ${Date.now()}`;
	const sent = await world.server.api(path, { method: "POST", json: { prompt } });
	if (sent.status !== 202) throw new Error(`The prompt on the page answered ${sent.status}.`);
	const { messageId }: { messageId: string } = await sent.json();
	await until("The answer on the page", async () => {
		const { messages }: { messages: Message[] } = await (await world.server.api(`${path}?limit=20`)).json();
		return messages.some((message) => message.role === "assistant" && message.metadata.inReplyTo === messageId);
	});
}

async function conversationOf(world: World, prompt: string): Promise<string> {
	const { conversations }: { conversations: { id: string }[] } = await (await world.server.api("/api/conversations?limit=50")).json();
	for (const { id } of conversations) {
		const page: { messages: Message[] } = await (await world.server.api(`/api/conversations/${id}/messages?limit=50`)).json();
		if (page.messages.some((message) => message.content === prompt)) return id;
	}
	throw new Error(`No conversation has the prompt ${prompt}.`);
}

/** Nothing but deletions of what stood there, except for the one text that may be said. */
function refuseCalls(world: World, chatId: number, since: number, allowed?: string): void {
	const calls = world.telegram.calls.filter(
		({ method, params, at }) =>
			at > since && params.chat_id === chatId && method !== "deleteMessage" && (allowed === undefined || params.text !== allowed),
	);
	const told = calls.map(({ method, params }) => `${method} ${String(params.text ?? "").slice(0, 80)}`);
	if (calls.length > 0) throw new Error(`A chat without access was called ${calls.length} times: ${told.slice(0, 3).join("; ")}`);
}

/** No message, and no earlier state of one, has a word that was said later than this one. */
function refuseWords(world: World, chatId: number, { mark, word }: { mark: number; word: number }): void {
	const texts = world.telegram.world.messages
		.filter((message) => message.chatId === chatId)
		.flatMap((message) => [message.text, ...message.edits.map((edit) => edit.text)]);
	const newest = Math.max(
		-1,
		...texts.flatMap((each) => [...each.matchAll(new RegExp(`word-${mark}-(\\d+)`, "g"))].map(([, n]) => Number(n))),
	);
	if (newest > word)
		throw new Error(`A chat without access read on to word ${newest}; word ${word} was the newest when it lost its access.`);
}

function refuseText(world: World, chatId: number, secret: string): void {
	const leaked = world.telegram.fromBot(chatId).find((message) => message.text.includes(secret));
	if (leaked !== undefined) throw new Error(`A chat without access reads: ${leaked.text.slice(0, 200)}`);
}
