import type { Question } from "@rightseat/protocol/model/ask";

export type TypedAnswer = "answered" | "needs-button" | "none";

/** A request that waits in a chat and may be seen there: what is typed before that answers nothing. A permission request and a limit have no question. */
export interface OpenAsk {
	requestId: string;
	/** Known once Telegram confirmed the message that asks. */
	messageId: number | undefined;
	question: Question | undefined;
	isLimit?: boolean;
	isPlan?: boolean;
}

export interface TypedMessage {
	text: string;
	repliedTo: number | undefined;
	/** The text counts only if it is one of the question's choices. */
	choicesOnly: boolean;
}

export type TypedMeaning =
	| { kind: "answer"; requestId: string; answer: string; wasFreeform: boolean }
	| { kind: "decide"; requestId: string; decision: "approve-once" | "reject"; feedback?: string }
	| { kind: "plan"; requestId: string; approved: boolean; feedback?: string }
	| { kind: "raise"; requestId: string; limit: number }
	| { kind: "needs-button" }
	| { kind: "none" };

/** A reply to a permission request that means yes; everything else is the reason for a no. */
const YES = /^(y|yes|ok|okay|allow|approve|go ahead|好|可以|同意)[.!。！]?$/i;

/** What a typed message means to the requests that wait, oldest first. A reply to a request means that one, otherwise the newest question. */
export function readTypedAnswer(open: OpenAsk[], { text, repliedTo, choicesOnly }: TypedMessage): TypedMeaning {
	const replied = repliedTo === undefined ? undefined : open.find((each) => each.messageId === repliedTo);
	if (replied?.isLimit === true && !choicesOnly) {
		const limit = Number(text.replaceAll(/[\s,_]/g, ""));
		return text.trim() !== "" && limit > 0 ? { kind: "raise", requestId: replied.requestId, limit } : { kind: "needs-button" };
	}
	if (replied !== undefined && replied.question === undefined && !choicesOnly) {
		const { requestId, isPlan } = replied;
		if (isPlan === true)
			return YES.test(text.trim())
				? { kind: "plan", requestId, approved: true }
				: { kind: "plan", requestId, approved: false, feedback: text };
		return YES.test(text.trim())
			? { kind: "decide", requestId, decision: "approve-once" }
			: { kind: "decide", requestId, decision: "reject", feedback: text };
	}
	const asked = replied ?? open.findLast((each) => each.question !== undefined);
	if (asked?.question === undefined) return { kind: "none" };
	const choice = asked.question.choices?.find((each) => each.trim().toLowerCase() === text.trim().toLowerCase());
	if (choice !== undefined) return { kind: "answer", requestId: asked.requestId, answer: choice, wasFreeform: false };
	if (choicesOnly) return { kind: "none" };
	if (!asked.question.allowFreeform) return { kind: "needs-button" };
	return { kind: "answer", requestId: asked.requestId, answer: text, wasFreeform: true };
}

/** Whether the next message, or one that replies to this one, is an answer. */
export function awaitsAnswer(open: OpenAsk[], repliedTo: number | undefined): boolean {
	return open.some((each) => each.question !== undefined || (repliedTo !== undefined && each.messageId === repliedTo));
}
