import * as z from "zod/mini";
import { fieldOf } from "../model/field.ts";

/** Longest id that a client may choose for a request, a message or a terminal. */
export const MAX_ID_CHARS = 128;

/** Which of the ids in a frame's data a refusal gives back. `requestId` is the one of the question that an answer was for. */
export const echoedIdsShape = {
	conversationId: z.optional(z.string()),
	clientMessageId: z.optional(z.string()),
	messageId: z.optional(z.string()),
	terminalId: z.optional(z.string()),
	execId: z.optional(z.string()),
	bashId: z.optional(z.string()),
	requestId: z.optional(z.string()),
};
const echoedIds = z.object(echoedIdsShape);

/** What a refusal says about the frame that it refuses. */
export interface Echo {
	requestId?: string;
	requestType?: string;
	ids: z.infer<typeof echoedIds>;
}

/** As much as can be read of any value that arrived as a frame: a refusal without it fits every frame that waits for an answer. */
export function echoOf(frame: unknown): Echo {
	const type = fieldOf(frame, "type");
	const requestId = idOf(fieldOf(frame, "requestId"));
	const data = fieldOf(frame, "data");
	const ids = Object.keys(echoedIdsShape).map((name): [string, string | undefined] => [name, idOf(fieldOf(data, name))]);
	return {
		...(requestId === undefined ? {} : { requestId }),
		...(typeof type === "string" ? { requestType: type.slice(0, 80) } : {}),
		ids: echoedIds.parse(Object.fromEntries(ids.filter(([, id]) => id !== undefined))),
	};
}

const idOf = (value: unknown) => (typeof value === "string" && value.length > 0 && value.length <= MAX_ID_CHARS ? value : undefined);
