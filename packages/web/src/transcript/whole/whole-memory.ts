import type { Message } from "@rightseat/protocol/model/message";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import { createContext } from "react";

/** Of one kind of thing; JavaScript holds two bytes for a character. */
const MAX_WHOLE_BYTES = 8 * 1024 * 1024;

/** What was fetched whole, kept while its row is out of sight; the oldest go first. */
export interface WholeMemory<T> {
	get(key: string): T | undefined;
	/** Something larger than the whole memory is not kept. */
	keep(key: string, value: T): void;
}

export interface WholeMemories {
	messages: WholeMemory<Message>;
	tools: WholeMemory<ToolRecord>;
}

/** Of the conversation on screen. */
export const WholeContext = createContext<WholeMemories | undefined>(undefined);

export const createWholeMemories = (): WholeMemories => ({ messages: createWholeMemory(), tools: createWholeMemory() });

export function createWholeMemory<T>(maxBytes = MAX_WHOLE_BYTES): WholeMemory<T> {
	const kept = new Map<string, { value: T; bytes: number }>();
	let total = 0;

	function drop(key: string): void {
		total -= kept.get(key)?.bytes ?? 0;
		kept.delete(key);
	}

	return {
		get: (key) => kept.get(key)?.value,
		keep(key, value) {
			drop(key);
			const bytes = 2 * JSON.stringify(value).length;
			if (bytes > maxBytes) return;
			for (const oldest of [...kept.keys()]) if (total + bytes > maxBytes) drop(oldest);
			kept.set(key, { value, bytes });
			total += bytes;
		},
	};
}
