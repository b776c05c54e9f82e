import type { UndoneFile } from "@rightseat/protocol/model/change";
import type { ConversationId } from "../kernel/ids.ts";
import type { SettingsStore } from "../ports/store.ts";

/** Undos that wait for the next prompt, and files that one of them names; the newest stay, and what is left out is counted. */
const MAX_NOTES = 20;
export const MAX_NOTED_FILES = 50;

/** What the agent has to be told: a person took back what it did, or brought it back. */
export interface UndoneNote {
	changeId: string;
	at: number;
	text: string;
}

/** Sentences about undos that the agent was not told yet. Every call is part of the commit that it is made in. */
export interface UndoneNotes {
	add(id: ConversationId, note: { changeId: string; at: number; kind: "undo" | "redo"; files: readonly UndoneFile[] }): void;
	list(id: ConversationId): UndoneNote[];
	/** The agent has these now. */
	remove(id: ConversationId, changeIds: readonly string[]): void;
	/** The conversation is deleted. */
	forget(id: ConversationId): void;
}

/** Kept with the settings: few, small and soon gone. */
export function createUndoneNotes(settings: SettingsStore): UndoneNotes {
	const keyOf = (id: ConversationId) => `changes.undone.${id}`;
	function list(id: ConversationId): UndoneNote[] {
		const stored: unknown = JSON.parse(settings.get(keyOf(id)) ?? "[]");
		return Array.isArray(stored) ? stored.flatMap(toNote) : [];
	}
	function keep(id: ConversationId, notes: UndoneNote[]): void {
		if (notes.length === 0) settings.delete(keyOf(id));
		else settings.set(keyOf(id), JSON.stringify(notes));
	}
	return {
		list,
		add(id, { changeId, at, kind, files }) {
			keep(id, [...list(id), { changeId, at, text: textOf(kind, files) }].slice(-MAX_NOTES));
		},
		remove(id, changeIds) {
			if (changeIds.length === 0) return;
			keep(
				id,
				list(id).filter((note) => !changeIds.includes(note.changeId)),
			);
		},
		forget: (id) => settings.delete(keyOf(id)),
	};
}

function textOf(kind: "undo" | "redo", files: readonly UndoneFile[]): string {
	const done = files.filter(({ result }) => result !== "skipped");
	const what =
		kind === "undo"
			? "[The user has undone changes. These files are as they were before them; read them again before you edit them:]"
			: "[The user has brought back changes that had been undone, in these files; read them again before you edit them:]";
	const lines = done
		.slice(0, MAX_NOTED_FILES)
		.map(({ path, result }) => (result === "merged" ? `${path} (merged with what was edited since)` : path));
	const more = done.length - lines.length;
	return [what, ...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}

function toNote(value: unknown): UndoneNote[] {
	if (typeof value !== "object" || value === null || !("changeId" in value && "at" in value && "text" in value)) return [];
	const { changeId, at, text } = value;
	return typeof changeId === "string" && typeof at === "number" && typeof text === "string" ? [{ changeId, at, text }] : [];
}
