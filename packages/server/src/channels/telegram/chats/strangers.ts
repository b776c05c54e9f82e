import type { User } from "grammy/types";
import type { Languages } from "../messages/languages.ts";
import { type Access, MAX_PAIR_REQUESTS } from "./access.ts";
import type { Speaker } from "./speaker.ts";

/** People who are not allowed yet: each gets one code, and a welcome once somebody on the page typed it. */
export interface Strangers {
	offerPairing(user: User, chatId: number): void;
	welcome(userId: number, name: string): void;
}

export function createStrangers(deps: {
	access: Pick<Access, "request">;
	speaker: Speaker;
	languages: Pick<Languages, "note" | "wordsFor">;
	onRequest: () => void;
}): Strangers {
	const { speaker, languages } = deps;
	/** Languages of those who got a code, for when they are let in. */
	const offered = new Map<number, string | undefined>();
	return {
		offerPairing(user, chatId) {
			const code = deps.access.request(user);
			if (code === undefined) return;
			deps.onRequest();
			speaker.say({ chatId }, languages.wordsFor(user.language_code).greeting(code), { toAnyone: true });
			offered.set(user.id, user.language_code);
			const [oldest] = offered.keys();
			if (offered.size > MAX_PAIR_REQUESTS && oldest !== undefined) offered.delete(oldest);
		},
		welcome(userId, name) {
			languages.note(userId, offered.get(userId));
			const thread = { chatId: userId };
			speaker.say(thread, speaker.words(thread).welcome(name));
		},
	};
}
