import * as z from "zod/mini";

/** What made a change: a turn, a command of a person or a job that outlived its turn, or one of the two that take back and bring back. */
export const changeKindSchema = z.enum(["turn", "command", "undo", "redo"]);
/** What made a change. */
export type ChangeKind = z.infer<typeof changeKindSchema>;

/** Who changed a file: an edit tool of the agent, a command of the agent, a command of a person, or somebody else. */
export const changeActorSchema = z.enum(["agent", "agent-shell", "person", "outside"]);
/** Who changed a file. */
export type ChangeActor = z.infer<typeof changeActorSchema>;

/** How many files and lines a change has; `notCovered` paths could not be recorded. */
export const changeCountsShape = {
	files: z.number(),
	added: z.number(),
	removed: z.number(),
	notCovered: z.optional(z.number()),
};

/** On the message that it belongs to: what an answer, or a `!cmd`, changed. */
export const messageChangesSchema = z.object({
	changeId: z.string(),
	...changeCountsShape,
	/** All of it was taken back, and not brought back since. */
	undone: z.optional(z.boolean()),
});
/** What a message says about the files that it changed. */
export type MessageChanges = z.infer<typeof messageChangesSchema>;

/** A change that an undo or a redo acted on, and whether all of it is undone from then on. */
export const undoneChangeSchema = z.object({ changeId: z.string(), messageId: z.optional(z.string()), undone: z.boolean() });
/** What became of a change. */
export type UndoneChange = z.infer<typeof undoneChangeSchema>;

/** A change without its files. */
export const changeSchema = z.object({
	/** `conversation`: everything that the conversation did, folded into one. */
	id: z.string(),
	messageId: z.optional(z.string()),
	kind: z.enum(["turn", "command", "undo", "redo", "conversation"]),
	at: z.string(),
	...changeCountsShape,
	undone: z.boolean(),
	/** The folder that its paths are relative to. */
	root: z.string(),
	/** The command, where one made it. */
	label: z.optional(z.string()),
	/** The changes that an undo or a redo acted on. */
	undoes: z.optional(z.array(z.string())),
	/** A crash cut this undo: posting undo again finishes it, redo takes it back. */
	unfinished: z.optional(z.boolean()),
	/** Told before everything was looked at: the rest follows, with one more `copilot:changes`. */
	partial: z.optional(z.boolean()),
});
/** A change without its files. */
export type Change = z.infer<typeof changeSchema>;

/** What became of one file in a change. A name that is no UTF-8 has its bytes as `\xNN`, and the routes take it like that. */
export const changedFileSchema = z.object({
	path: z.string(),
	oldPath: z.optional(z.string()),
	status: z.enum(["added", "modified", "deleted", "renamed", "mode"]),
	binary: z.boolean(),
	added: z.number(),
	removed: z.number(),
	by: changeActorSchema,
	/** Who else may have: two were at work at the same time. */
	also: z.optional(z.array(changeActorSchema)),
	/** What ran meanwhile: commands and tools. */
	during: z.optional(z.array(z.string())),
	/** git moved to another commit meanwhile; undo leaves it alone unless it is named. */
	git: z.optional(z.boolean()),
});
/** What became of one file in a change. */
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** What could not be recorded; `reason` is a code, such as `too-large`. */
export const notCoveredSchema = z.object({ path: z.string(), reason: z.string() });
/** What could not be recorded, and why. */
export type NotCovered = z.infer<typeof notCoveredSchema>;

/** What an undo or a redo did to one file, or would do; `reason` is a code, such as `changed-since`. */
export const undoneFileSchema = z.object({
	path: z.string(),
	result: z.enum(["restored", "merged", "skipped"]),
	reason: z.optional(z.string()),
	/** With `held-open`: names of the programs that have it open. */
	holders: z.optional(z.array(z.string())),
});
/** What an undo did to one file. */
export type UndoneFile = z.infer<typeof undoneFileSchema>;

/** One line of a diff; the numbers are its places before and after. */
export const diffLineSchema = z.object({
	kind: z.enum([" ", "+", "-"]),
	text: z.string(),
	oldNumber: z.optional(z.number()),
	newNumber: z.optional(z.number()),
	/** The last line of its side, and no newline ends it. */
	noNewline: z.optional(z.boolean()),
});
/** One line of a diff. */
export type DiffLine = z.infer<typeof diffLineSchema>;

/** Lines that changed together, with some around them; `id` names them in an undo. */
export const hunkSchema = z.object({
	id: z.string(),
	oldStart: z.number(),
	oldLines: z.number(),
	newStart: z.number(),
	newLines: z.number(),
	lines: z.array(diffLineSchema),
});
/** Lines that changed together. */
export type Hunk = z.infer<typeof hunkSchema>;
