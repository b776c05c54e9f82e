/** Where a message is written: a chat, or one topic of it. */
export interface Place {
	readonly chatId: number;
	/** Absent for a chat without topics and for the topic General, which Telegram wants to be left out. */
	readonly threadId?: number;
}

export const placeKey = (place: Place) => `${place.chatId}:${place.threadId ?? 0}`;
export const isGroup = (place: Place) => place.chatId < 0;
export const samePlace = (a: Place, b: Place) => placeKey(a) === placeKey(b);
