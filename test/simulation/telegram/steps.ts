import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { PersonChat } from "../../support/bot-api/people.ts";
import type { Message } from "../../support/bot-api/world.ts";
import { lastMarker } from "../frame/life.ts";
import type { Step } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import { type Exchange, MISHAPS } from "./network.ts";
import { BOB, countTap, did, type Said, type TelegramScene } from "./scene.ts";

type Play = (step: Step) => void | Promise<void>;

/** Which calls a fault may be meant for. */
const TARGETS = [
	["sendMessage", "sendDocument"],
	["sendMessage", "sendDocument"],
	["editMessageText"],
	["deleteMessage"],
	["answerCallbackQuery", "editMessageReplyMarkup"],
	["getUpdates"],
] as const;

const UNHEARD_OF = ["cut-after", "silent-after", "502-after"] as const;

/** The one message that is on its way to this chat is an answer. */
const isAnswer = ({ life, chatId }: Pick<Exchange, "life" | "chatId">) =>
	life.disk.look(
		"SELECT 1 AS found FROM telegram_outbox WHERE chat_id = ? AND state = 'sending' AND instr(dedupe_key, 'final:') > 0",
		chatId ?? 0,
	).length > 0;

/** People in chats, and what is wrong with Telegram and the way to it. */
export function telegramSteps(scene: TelegramScene): Record<string, Play> {
	return { ...peopleSteps(scene), ...networkSteps(scene) };
}

function peopleSteps(scene: TelegramScene): Record<string, Play> {
	const { world, api } = scene;
	const inChat =
		(act: (chat: PersonChat, step: Step) => void): Play =>
		(step) => {
			// One of them talks more.
			const chat = scene.chats[step.a < 0.65 ? 0 : 1];
			if (chat !== undefined) act(chat, step);
		};
	function say(chat: PersonChat, marker: string, send: () => Pick<Said, "message" | "before">): void {
		const kind = marker.startsWith("c") ? "command" : "prompt";
		world.ledger.send({ marker, kind, conversationId: "unknown", clientMessageId: undefined });
		scene.said.push({ chatId: chat.chatId, marker, order: scene.next(), elapsed: world.clock.elapsed(), ...send() });
	}
	const write = (chat: PersonChat, marker: string, text: string, to?: Message) =>
		say(chat, marker, () => ({ message: to === undefined ? chat.text(text) : chat.reply(to, text) }));
	/** Longer than a message can be; what it asks for is in its second piece. */
	const paste = (chat: PersonChat, marker: string) =>
		say(chat, marker, () => ({ before: chat.text("long ".repeat(819)), message: chat.text(`Please do ${marker}`) }));
	const mayDrop = (chat: PersonChat) => void scene.lastDrop.set(chat.chatId, scene.next());
	const buttonsIn = (chat: PersonChat) =>
		api
			.fromBot(chat.chatId)
			.flatMap((message) =>
				message.buttons.flat().flatMap(({ callbackData }) => (callbackData === undefined ? [] : [{ message, data: callbackData }])),
			);
	function press(chat: PersonChat, message: Message, data: string): void {
		const life = scene.life();
		if (life === undefined) scene.untold.push({ chatId: chat.chatId, data });
		else countTap(scene, life, { chatId: chat.chatId, data });
		mayDrop(chat);
		scene.tapped.push({ chat, message, data });
		chat.press(message, data);
	}

	function startNew(chat: PersonChat): void {
		did(scene, chat.chatId, "new");
		chat.text("/new");
	}
	/** Rather one in which something goes on, and there rather its first answer: nothing earlier tells a chat that one is missing. */
	function link(chat: PersonChat, chance: number): void {
		const life = scene.life();
		const known = life?.conversations.list({ limit: 20 }).conversations ?? [];
		const streaming = known.filter(({ status }) => status === "streaming");
		const first = streaming.filter(({ id }) => life?.disk.look(ANSWERS_OF, id).length === 0);
		const likely = first.length > 0 && chance < 0.4 ? first : streaming;
		const found = pickBy(likely.length > 0 && chance < 0.6 ? likely : known, chance);
		const code = found && scene.channel()?.linkCode(conversationId(found.id));
		if (code !== undefined) chat.text(`/link ${code}`);
	}

	return {
		"chat-prompt": inChat((chat, step) => write(chat, `p${step.at}x`, `Please do p${step.at}x`)),
		"chat-paste": inChat((chat, step) => paste(chat, `p${step.at}x`)),
		"chat-command": inChat((chat, step) => write(chat, `c${step.at}x`, `!echo c${step.at}x`)),
		"chat-batch": inChat((chat, step) => {
			const count = 2 + Math.floor(step.b * 4);
			for (let index = 0; index < count; index += 1) write(chat, markerOf(step, index), `Please do ${markerOf(step, index)}`);
		}),
		/** A batch arrives, and the server dies at one of its next calls to the disk. */
		"chat-batch-and-death": inChat((chat, step) => {
			world.host.planDeath({
				calls: 1 + Math.floor(step.b * 25),
				at: step.c < 0.5 ? "any" : "commit",
				when: step.c < 0.25 || step.c > 0.75 ? "before" : "after",
				isPowerCut: step.b > 0.5,
			});
			const first = markerOf(step, 0);
			if (step.a * 10 - Math.floor(step.a * 10) < 0.4) paste(chat, first);
			else write(chat, first, `Please do ${first}`);
			for (let index = 1; index < 3; index += 1) write(chat, markerOf(step, index), `Please do ${markerOf(step, index)}`);
		}),
		/** The chat is to show another conversation, one that runs if there is any, and the server dies at one of its next calls to the disk, rather an early one. */
		"chat-move-and-death": inChat((chat, step) => {
			if (step.c < 0.5) {
				world.host.planDeath({
					...{ calls: 1 + Math.floor(step.b ** 2 * 25), at: step.b * 100 - Math.floor(step.b * 100) < 0.7 ? "any" : "commit" },
					...{ when: step.a < 0.3 || step.a > 0.8 ? "before" : "after", isPowerCut: step.c > 0.3 },
				});
				startNew(chat);
				return;
			}
			// Between the step in which the chat moves and what it shows then are few commits.
			world.host.planDeath({
				calls: 1 + Math.floor(step.b * 5),
				at: "commit",
				when: step.a < 0.1 ? "before" : "after",
				isPowerCut: step.c > 0.9,
			});
			link(chat, step.c - 0.5);
		}),
		"chat-stop": inChat((chat, step) => {
			mayDrop(chat);
			chat.text(step.b < 0.5 ? "/stop" : "stop");
		}),
		"chat-new": inChat((chat) => startNew(chat)),
		"chat-list": inChat((chat) => void chat.text("/list")),
		"chat-link": inChat((chat, step) => link(chat, step.b)),
		"chat-edit": inChat((chat, step) => {
			const said = pickBy(scene.said.filter(({ chatId }) => chatId === chat.chatId).slice(-6), step.b);
			if (said?.marker.startsWith("p") === true) chat.edit(said.message, `Edited ${step.at}: ${said.marker}`);
		}),
		"chat-reply": inChat((chat, step) => {
			// What it says is quoted, and must not look like something that somebody sent.
			const unmarked = api.fromBot(chat.chatId).filter(({ text }) => lastMarker(text) === "");
			const to = pickBy(unmarked.slice(-4), step.b);
			if (to === undefined) return;
			if (to.text.startsWith("🔐")) chat.reply(to, step.c < 0.5 ? "yes" : "rather not");
			else write(chat, `p${step.at}x`, `rather p${step.at}x`, to);
		}),
		"chat-tap": inChat((chat, step) => {
			const button = pickBy(buttonsIn(chat).slice(-12), step.b);
			if (button === undefined) return;
			press(chat, button.message, button.data);
			if (step.c < 0.3) press(chat, button.message, button.data);
		}),
		"chat-tap-again": inChat((chat, step) => {
			const before = pickBy(
				scene.tapped.filter((tap) => tap.chat === chat),
				step.b,
			);
			if (before !== undefined) press(chat, before.message, before.data);
		}),
		"person-removed"() {
			const life = scene.life();
			const channel = scene.channel();
			if (life === undefined || channel === undefined) return;
			if (!attempt(() => channel.pairing.revoke(BOB.id))) return;
			scene.everRemoved.add(BOB.id);
			world.count("telegram: a person was removed");
			const waiting = life.disk.look(
				"SELECT 1 AS found FROM telegram_outbox WHERE chat_id = ? AND state = 'pending' AND instr(payload, '\"toAnyone\":true') = 0",
				BOB.id,
			).length;
			if (waiting > 0) world.violate("removed-hears-nothing", `${waiting} messages still wait for somebody who was removed`);
			void life.opened.sql.durable().then(
				() => life.isAlive() && scene.removed.add(BOB.id),
				() => undefined,
			);
		},
		"person-let-in"() {
			const code = /[0-9A-Z]+-[0-9A-Z]*/.exec(api.fromBot(BOB.id).findLast(({ text }) => /[0-9A-Z]-/.test(text))?.text ?? "")?.[0];
			const channel = scene.channel();
			if (channel === undefined || code === undefined) return;
			if (attempt(() => channel.pairing.confirm(code) !== undefined)) {
				scene.removed.delete(BOB.id);
				world.count("telegram: a person was let in again");
			}
		},
	};
}

function networkSteps({ world, api, network }: TelegramScene): Record<string, Play> {
	return {
		"call-fails"(step) {
			const mishap = pickBy(MISHAPS, step.a);
			const methods = pickBy(TARGETS, step.b);
			if (mishap !== undefined && methods !== undefined) network.arm(methods, mishap);
		},
		/** Telegram takes the next answer, and nobody hears of it. */
		"answer-unheard"(step) {
			const mishap = pickBy(UNHEARD_OF, step.a);
			if (mishap !== undefined) network.arm(["sendMessage", "sendDocument"], mishap, isAnswer);
		},
		"chat-must-wait"(step) {
			for (let index = 0; index <= step.a * 3; index += 1) network.arm(["sendMessage", "editMessageText"], "429");
		},
		"network-down": (step) => network.block(step.a < 0.5 ? "refused" : "swallowed"),
		"network-late": (step) => network.setLatency(Math.floor(step.a * 3_000)),
		"network-back"() {
			network.block(undefined);
			network.setLatency(0);
		},
		conflict(step) {
			world.count("telegram: 409");
			api.holdSlot(Math.floor(step.a * 40_000));
		},
		"update-again"(step) {
			const update = pickBy(api.updates.newest(), step.a);
			if (update === undefined) return;
			world.count("telegram: an update came twice");
			api.updates.again(update);
		},
	};
}

const ANSWERS_OF = "SELECT 1 FROM messages WHERE conversation_id = ? AND role = 'assistant' LIMIT 1";

/** Of a step that writes several things: beyond every number of a step. */
const markerOf = (step: Step, index: number) => `p${10_000 + step.at * 10 + index}x`;

/** The page is told what the server refuses. */
function attempt(act: () => boolean): boolean {
	try {
		return act();
	} catch (error) {
		if (error instanceof Error && "code" in error) return false;
		throw error;
	}
}
