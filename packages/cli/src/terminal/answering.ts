import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { type Ask, answerTo } from "./asks.ts";
import { createFormFilling } from "./form-filling.ts";
import type { Look } from "./look.ts";

/** What a line was: an answer to be sent, or rows to be shown before the next line. */
export type Taken = { frame: ClientFrame } | { rows: string[] };

/** One request that is answered here, in one line or, for a form, in several. */
export interface Answering {
	readonly requestId: string;
	/** Every line is for it, an empty one and one that begins with `!` as well: what is filled in reaches no shell. */
	readonly takesAll: boolean;
	/** What the next line is asked for, beyond the request itself. */
	rows(): string[];
	take(typed: string): Taken;
}

export function createAnswering(ask: Ask, conversationId: string, look: Pick<Look, "words" | "paint">): Answering {
	const { requestId } = ask.request;
	if (ask.kind === "form") {
		const filling = createFormFilling(ask.request, look);
		return {
			requestId,
			takesAll: true,
			rows: filling.rows,
			take(typed) {
				const step = filling.take(typed);
				return "rows" in step ? step : { frame: { type: "copilot:form_response", data: { conversationId, requestId, ...step } } };
			},
		};
	}
	return {
		requestId,
		takesAll: false,
		rows: () => [],
		take(typed) {
			const frame = answerTo(ask, typed, conversationId);
			return frame === undefined ? { rows: [look.paint(look.words.notAnAnswer, "dim")] } : { frame };
		},
	};
}
