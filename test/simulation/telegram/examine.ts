import type { Message } from "../../support/bot-api/world.ts";
import type { Life } from "../frame/life.ts";
import type { Exchange } from "./network.ts";
import { type Bound, type Said, type TelegramScene, timesDone } from "./scene.ts";

/** Everything is at peace: what people wrote, what is stored and what stands in the chats must fit. */
export function examineChats(scene: TelegramScene): void {
	const life = scene.life();
	if (life === undefined) return;
	for (const said of scene.said) examineSaid(scene, life, said);
	for (const { chatId } of scene.chats) {
		examineCommands(scene, chatId);
		examineLive(scene, life, chatId);
		const bound = scene.bound.get(chatId);
		if (bound !== undefined && !scene.everRemoved.has(chatId)) examineAnswers(scene, life, chatId, bound);
	}
	for (const id of scene.unshown)
		if (life.disk.look("SELECT 1 AS found FROM conversations WHERE id = ?", id).length > 0)
			scene.world.violate("command-runs-once", `${id} was made in a chat, and no chat was ever shown it`);
	examineDoubt(scene, life);
}

function examineSaid(scene: TelegramScene, life: Life, said: Said): void {
	const { world } = scene;
	const { chatId, marker } = said;
	const clientIds = piecesOf(said).map(({ messageId }) => `tg:${chatId}:${messageId}`);
	// Of any message of the chat: one that comes right behind the first piece of a paste is taken for its rest, also a command.
	const count = (query: string) => life.disk.look(query, `tg:${chatId}:*`, marker).length;
	const stored = count(OF_PROMPTS) + count(OF_COMMANDS);
	const answered = life.disk.look(
		`SELECT 1 AS found FROM events WHERE instr(frame, ?) > 0 AND (${ANSWERS.map((type) => `instr(frame, '"copilot:${type}_resolved"') > 0`).join(" OR ")})`,
		marker,
	).length;
	if (answered > 0) world.count("telegram: a question was answered in a chat");
	if (stored + answered > 1) world.violate("written-is-done-once", `${marker} is stored ${stored} times and answers ${answered} questions`);
	if (stored + answered === 0 && !isExcused(scene, life, said))
		world.violate("written-is-done-once", `${marker} (${clientIds.join(", ")}) came to nothing`);
}

const OF_COMMANDS = "SELECT 1 AS found FROM commands WHERE client_message_id GLOB ? AND instr(command, ?) > 0";
const OF_PROMPTS =
	"SELECT 1 AS found FROM messages WHERE client_message_id GLOB ? AND instr(content, ?) > 0 AND json_extract(metadata, '$.bash') IS NULL";
/** What a typed message can answer. What is typed into a form is stored nowhere. */
const ANSWERS = ["user_input", "permission", "plan"] as const;

const piecesOf = ({ before, message }: Said) => [...(before === undefined ? [] : [before]), message];

/** Taken back, told to the person, or gone with what it belonged to. */
function isExcused(scene: TelegramScene, life: Life, said: Said): boolean {
	const { world, api } = scene;
	const { chatId, marker, message, order } = said;
	const ids = piecesOf(said).map(({ messageId }) => messageId);
	if (scene.everRemoved.has(chatId) || (scene.lastDrop.get(chatId) ?? 0) > order) return true;
	if (world.ledger.sent.get(marker)?.dropped === true || mayBeOfForm(scene, said)) return true;
	for (const id of scene.shown.get(chatId) ?? []) if (world.ledger.deleted.has(id)) return true;
	const held = life.disk.look(
		"SELECT 1 AS found FROM telegram_inbox WHERE state = 'held' AND json_extract(payload, '$.message.message_id') = ?",
		message.messageId,
	);
	if (held.length > 0) return true;
	return api.world.messages.some(
		({ from, replyTo, text }) => from === "bot" && replyTo !== undefined && ids.includes(replyTo) && /^⚠️|button/.test(text),
	);
}

/** A form waited in the chat since it was typed, also before its card came: it may have been taken for a field, which only the agent is told. */
function mayBeOfForm({ world, api, formAt }: TelegramScene, { chatId, message, elapsed }: Said): boolean {
	if ((formAt.get(chatId) ?? -1) >= elapsed) return true;
	const isSetBack = world.clock.now() - world.clock.elapsed() < message.at - elapsed;
	return api.world.messages.some(({ chatId: where, from, text, at, edits, deletedAt = 0 }) => {
		if (where !== chatId || from !== "bot" || ![text, ...edits.map((each) => each.text)].some((shown) => shown.includes("Form f")))
			return false;
		return isSetBack || Math.max(at, deletedAt, ...edits.map((each) => each.at)) >= message.at;
	});
}

function examineCommands(scene: TelegramScene, chatId: number): void {
	const started = scene.api.world.messages.filter(
		(each) => each.chatId === chatId && each.from === "bot" && each.text.startsWith("New conversation with"),
	);
	const most = timesDone(scene, chatId, "new") + timesDone(scene, chatId, "resend");
	if (started.length > most) scene.world.violate("command-runs-once", `/new was sent ${most} times and answered ${started.length} times`);
}

function examineAnswers(scene: TelegramScene, life: Life, chatId: number, bound: Bound): void {
	const { world, api } = scene;
	const sent = api.world.messages.filter((each) => each.chatId === chatId && each.from === "bot");
	const there = sent.filter((each) => each.deletedAt === undefined);
	const shown = plain(there.map(textOf).join(" "));
	const answers = life.disk.look("SELECT id, content FROM messages WHERE conversation_id = ? AND role = 'assistant'", bound.conversationId);
	for (const { id, content } of answers) {
		const words = plain(String(content));
		if (bound.before.has(String(id)) || words === "") continue;
		const copies = sent.filter((each) => beginsWith(each.text, String(content))).length;
		if (copies > 1 + timesDone(scene, chatId, "resend"))
			world.violate("answer-arrives-once", `${id} stands in the chat ${copies} times: ${content}`);
		if (shown.includes(words)) continue;
		const rows = life.disk.look("SELECT state FROM telegram_outbox WHERE instr(dedupe_key, ?) > 0", `final:${id}:`);
		if (!rows.some(({ state }) => state === "unknown"))
			world.violate("answer-is-complete", `${id} is not in the chat ${chatId} (${JSON.stringify(rows)}): ${content}`);
	}
}

function textOf({ text, media }: Message): string {
	return media === undefined ? text : `${text} ${Buffer.from(media.bytes).toString("utf8")}`;
}

/** Without what Markdown and cutting change. */
const plain = (text: string) => text.replace(/[\s*_`]+/g, "");

/** Word by word: an answer may begin with the letters of another one's last word. Of a long one only the first of its pieces counts. */
function beginsWith(text: string, answer: string): boolean {
	const wordsOf = (said: string) => said.split(/\s+/).flatMap((word) => (plain(word) === "" ? [] : [plain(word)]));
	const [said, wanted] = [wordsOf(text), wordsOf(answer.slice(0, 1_000))];
	if (answer.length > 1_000) wanted.pop();
	return wanted.length > 0 ? wanted.every((word, index) => said[index] === word) : plain(text).startsWith(plain(answer).slice(0, 1_000));
}

/** Buttons that only mean something while something goes on. */
const LIVE = new Set(["stop", "answer", "answer-other", "decide", "queue-now", "queue-drop", "kill-exec", "plan", "form"]);

function examineLive(scene: TelegramScene, life: Life, chatId: number): void {
	for (const message of scene.api.fromBot(chatId)) {
		const [data] = message.buttons.flat().flatMap(({ callbackData }) => callbackData ?? []);
		if (data === undefined) continue;
		const [row] = life.disk.look("SELECT action FROM telegram_buttons WHERE id = ?", data);
		const kind = /"kind":"([\w-]+)"/.exec(String(row?.action))?.[1] ?? "";
		if (!LIVE.has(kind) || isOrphan(scene, message)) continue;
		scene.world.violate("live-message-ends", `In the chat ${chatId} still stands, with the button ${kind}: ${message.text}`);
	}
}

/** Nobody could know of it: the answer to its send was lost, or the process that heard it died before the disk had noted that. */
function isOrphan({ network, restedAt }: TelegramScene, { messageId }: Message): boolean {
	const sent = network.exchanges.find((each) => each.messageId === messageId);
	if (sent === undefined || sent.isInDoubt || sent.heardAt === undefined || isOvertaken(network, messageId)) return true;
	return !sent.life.isAlive() && (restedAt.get(sent.life) ?? 0) <= sent.heardAt;
}

/** A change that a process sent before it died came to Telegram after one of the next process. */
function isOvertaken({ exchanges }: TelegramScene["network"], messageId: number): boolean {
	const changes = exchanges.filter(({ about, acted }) => about === messageId && acted !== undefined);
	const last = changes.toSorted((a, b) => (a.acted ?? 0) - (b.acted ?? 0)).at(-1);
	return last !== undefined && !last.life.isAlive() && changes.at(-1) !== last;
}

function examineDoubt(scene: TelegramScene, life: Life): void {
	const { world, network } = scene;
	const unknown = life.disk.look("SELECT id, dedupe_key FROM telegram_outbox WHERE state = 'unknown'");
	const lost = ({ method, isInDoubt, heardAt }: Exchange) => method.startsWith("send") && (isInDoubt || heardAt === undefined);
	const reasons = network.exchanges.filter(lost).length + life.number * scene.chats.length;
	if (unknown.length > reasons)
		world.violate("doubt-has-a-reason", `${unknown.length} messages are in doubt, and at most ${reasons} can be`);
	for (const { id, dedupe_key: key } of unknown) {
		if (String(key).startsWith("in-doubt:")) continue;
		const notices = life.disk.look("SELECT state FROM telegram_outbox WHERE dedupe_key = ?", `in-doubt:${id}`);
		if (notices.length === 1) world.count("telegram: a message in doubt was told");
		else if (scene.everRemoved.size === 0) world.violate("doubt-has-a-reason", `${key} is in doubt, and nobody is told`);
	}
}
