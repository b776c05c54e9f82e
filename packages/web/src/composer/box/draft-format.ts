/** Where drafts are kept. Apart from their schema, so that the boot script, which runs before everything, stays small. */
export const DRAFTS_KEY = "rightseat:drafts";

/** The place of a conversation that does not exist yet. */
export const NEW_DRAFT = "new";

/** The text that `kept` holds for a conversation. */
export function draftText(kept: unknown, place: string): string | undefined {
	const text = fieldOf(fieldOf(kept, place), "text");
	return typeof text === "string" ? text : undefined;
}

/** `kept` with another text for one conversation; its files and every other draft stay. */
export function withDraftText(kept: unknown, place: string, draft: { text: string; at: number }): object {
	const before = fieldOf(kept, place);
	return { ...recordOf(kept), [place]: { attachments: [], ...recordOf(before), ...draft } };
}

function fieldOf(value: unknown, key: string): unknown {
	return new Map(Object.entries(recordOf(value))).get(key);
}

function recordOf(value: unknown): object {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
