import * as z from "zod/mini";
import { changeCountsShape, changeKindSchema, undoneChangeSchema } from "../model/change.ts";
import { event } from "./event-frame.ts";

/** Files that a turn, a command, an undo or a redo changed. */
export const changeEvents = [
	event("copilot:changes", {
		changeId: z.string(),
		/** The answer or the `!cmd` that it belongs to. */
		messageId: z.optional(z.string()),
		kind: changeKindSchema,
		...changeCountsShape,
		/** Of an undo or a redo: what it acted on. */
		undoes: z.optional(z.array(undoneChangeSchema)),
	}),
] as const;
