import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import { sendSignal } from "../send-signal.ts";
import { wait } from "../wait.ts";
import type { FleetFault } from "./fault.ts";
import type { Stage } from "./stage.ts";
import { type FleetWorld, type Seat, until } from "./world.ts";

/** Who writes to the bot. */
export const ANN = { id: 1001, name: "Ann" };

const [HAND_OVER_MS, FROZEN_MS, ANSWER_MS, WORDS] = [12_000, 12_000, 90_000, 40];

/** The hosts that run the bot now; a frozen one cannot be asked. */
export async function holdersOf({ seats }: FleetWorld, frozen?: Seat): Promise<Seat[]> {
	const holders: Seat[] = [];
	for (const seat of [seats.laptop, seats.tower]) {
		if (seat === frozen) continue;
		const answer = await seat.server.api("/api/telegram").catch(() => undefined);
		const { status } = answer === undefined ? { status: undefined } : await answer.json();
		if (status?.state === "ok") holders.push(seat);
	}
	return holders;
}

/** The conversation of this round in Ann's chat. */
async function showInChat(stage: Stage, holder: Seat): Promise<void> {
	const { world, conversationId } = stage;
	const json = { conversationId: remoteIdOf(world.seats.desk.id, conversationId) };
	const { code } = await (await holder.server.api("/api/telegram/links", { method: "POST", json })).json();
	const before = timesIn(world, "This chat shows “");
	world.bot.private(ANN).text(`/link ${code}`);
	await until("the conversation in the chat", ANSWER_MS, () => timesIn(world, "This chat shows “") > before);
}

const timesIn = ({ bot }: FleetWorld, words: string) => bot.fromBot(ANN.id).filter(({ text }) => text.includes(words)).length;

/** Ann asks, the holder is struck in mid-answer, and she writes on: each answer comes once, and each prompt is stored once. */
async function struck(stage: Stage, kind: string, strike: (holder: Seat) => Promise<void> | void): Promise<Seat> {
	const { world } = stage;
	const [holder] = await holdersOf(world);
	if (holder === undefined) throw new Error("Nobody runs the bot.");
	const [first, second] = [`${kind}-first`, `${kind}-second`].map((name) => `t-${stage.conversationId.slice(0, 6)}-${name}`);
	world.bot.private(ANN).text(String(first));
	await until("words in the chat", ANSWER_MS, () => timesIn(world, `${first}w3 `) > 0);
	await strike(holder);
	const since = Date.now();
	world.bot.private(ANN).text(String(second));
	await until("another holder", ANSWER_MS, async () => (await holdersOf(world, holder)).length > 0);
	stage.measure(`${kind}: handed over after`, Date.now() - since, HAND_OVER_MS);
	const ends = [first, second].map((id) => `${id}w${WORDS - 1}`);
	await stage.within(`${kind}: both answers are in the chat`, ANSWER_MS, () => ends.every((end) => timesIn(world, end) > 0));
	await wait(3_000);
	const doubts = timesIn(world, "may not have arrived");
	for (const end of ends) if (timesIn(world, end) > 1 + doubts) stage.find(`“…${end}” is ${timesIn(world, end)} times in the chat.`);
	const path = `/api/conversations/${stage.conversationId}/messages?limit=200`;
	const { messages }: { messages: { role: string; content: string }[] } = await (await world.seats.desk.server.api(path)).json();
	for (const id of [first, second]) {
		const times = messages.filter(({ role, content }) => role === "user" && content === id).length;
		if (times !== 1) stage.find(`The prompt ${id} from the chat is ${times} times in the owner's log.`);
	}
	return holder;
}

export const TELEGRAM_FAULTS: readonly FleetFault[] = [
	{
		number: 28,
		breaks: "the Telegram holder killed · frozen for 12 s in mid-answer",
		expected: "hand-over ≤ 12 s; the answer once, or once with “may not have arrived”",
		async play(stage) {
			const { world } = stage;
			await until("one holder", ANSWER_MS, async () => (await holdersOf(world)).length === 1);
			const [holder] = await holdersOf(world);
			if (holder !== undefined) await showInChat(stage, holder);
			const killed = await struck(stage, "killed", async (seat) => void (await seat.server.kill()));
			await killed.restart();
			await wait(2_000);
			let frozenAt = 0;
			const frozen = await struck(stage, "frozen", (seat) => {
				frozenAt = Date.now();
				sendSignal([seat.server.pid], "SIGSTOP");
			});
			await wait(Math.max(0, frozenAt + FROZEN_MS - Date.now()));
			sendSignal([frozen.server.pid], "SIGCONT");
			await stage.within("one holder after it woke", 20_000, async () => (await holdersOf(world)).length === 1);
		},
	},
];
