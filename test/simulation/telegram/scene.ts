import type { TelegramChannel } from "../../../packages/server/src/channels/telegram/create-telegram-channel.ts";
import type { BotApi } from "../../support/bot-api/bot-api.ts";
import type { PersonChat } from "../../support/bot-api/people.ts";
import type { Message } from "../../support/bot-api/world.ts";
import type { Life } from "../frame/life.ts";
import type { World } from "../frame/part.ts";
import type { Network } from "./network.ts";

/** Named in the configuration. */
export const ANN = { id: 1001, name: "Ann" };
/** Let in by a code, and may be removed again. */
export const BOB = { id: 2002, name: "Bob" };

/** Something that a person typed, and that must come to something. */
export interface Said {
	readonly chatId: number;
	readonly marker: string;
	/** In the order of everything that people did. */
	readonly order: number;
	/** When, on the clock that never jumps. */
	readonly elapsed: number;
	readonly message: Message;
	/** What came before it of a paste that the client has cut. */
	readonly before?: Message;
}

/** A tap on a button, by what Telegram carries of it. */
export interface Tap {
	readonly chatId: number;
	readonly data: string;
}

/** What a chat shows, as it was found after the steps. */
export interface Bound {
	readonly conversationId: string;
	/** When the chat began to show it, as stored. */
	readonly since: number;
	/** Answers that were there before the chat showed it. */
	readonly before: ReadonlySet<string>;
}

/** What the files of the Telegram part share in a round. */
export interface TelegramScene {
	readonly world: World;
	readonly api: BotApi;
	readonly network: Network;
	life(): Life | undefined;
	/** Of the server that runs now. */
	channel(): TelegramChannel | undefined;
	readonly chats: readonly PersonChat[];
	readonly said: Said[];
	/** Buttons that were tapped, for who taps twice. */
	readonly tapped: { chat: PersonChat; message: Message; data: string }[];
	/** Taps while no process ran, which alone knows what they mean. */
	readonly untold: Tap[];
	/** How often the person of a chat did this. */
	readonly done: Map<string, number>;
	/** The newest thing in a chat that may take waiting prompts away. */
	readonly lastDrop: Map<number, number>;
	/** By chat. */
	readonly bound: Map<number, Bound>;
	/** Every conversation that a chat showed. */
	readonly shown: Map<number, Set<string>>;
	/** Conversations that the channel made and that nobody has seen it show. */
	readonly unshown: Set<string>;
	/** May read and write nothing, and that is durable. */
	readonly removed: Set<number>;
	/** Was removed at some time. */
	readonly everRemoved: Set<number>;
	/** When a form was last seen to wait in what a chat shows. */
	readonly formAt: Map<number, number>;
	/** When the disk of a process was last seen with nothing left to do. */
	readonly restedAt: Map<Life, number>;
	/** Counts what people do. */
	next(): number;
}

export function did(scene: TelegramScene, chatId: number, what: string): void {
	const key = `${chatId} ${what}`;
	scene.done.set(key, (scene.done.get(key) ?? 0) + 1);
}
/** A tap counts as what its button means. */
export function countTap(scene: TelegramScene, life: Life, { chatId, data }: Tap): void {
	const [row] = life.disk.look("SELECT action FROM telegram_buttons WHERE id = ?", data);
	const kind = /"kind":"([\w-]+)"/.exec(String(row?.action))?.[1] ?? "unknown";
	scene.world.count(`telegram: tapped ${kind}`);
	did(scene, chatId, kind);
}
export const timesDone = (scene: TelegramScene, chatId: number, what: string) => scene.done.get(`${chatId} ${what}`) ?? 0;
