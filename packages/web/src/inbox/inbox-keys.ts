/** What a key does in the list. */
export type InboxKey =
	| { kind: "move"; by: 1 | -1 }
	| { kind: "choose"; index: number }
	| { kind: "open" }
	| { kind: "seen" }
	| { kind: "later" };

export interface PressedKey {
	key: string;
	ctrlKey: boolean;
	metaKey: boolean;
	altKey: boolean;
}

/** Undefined for a key that belongs to somebody else: a person who types, a shortcut of the page, a button that has the focus. */
export function inboxKey({ key, ctrlKey, metaKey, altKey }: PressedKey, on: { isField: boolean; isButton: boolean }): InboxKey | undefined {
	if (on.isField || ctrlKey || metaKey || altKey) return undefined;
	if (key === "ArrowDown" || key === "j") return { kind: "move", by: 1 };
	if (key === "ArrowUp" || key === "k") return { kind: "move", by: -1 };
	if (/^[1-9]$/.test(key)) return { kind: "choose", index: Number(key) - 1 };
	if (key === "Enter") return on.isButton ? undefined : { kind: "open" };
	if (key === "e") return { kind: "seen" };
	return key === "l" ? { kind: "later" } : undefined;
}
