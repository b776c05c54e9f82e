import { numberOf, type Params, textOf } from "./params.ts";

/** What goes wrong with the next calls of a method. */
export interface Fault {
	/** Answer with this refusal instead of acting. */
	code?: number;
	description?: string;
	retryAfter?: number;
	migrateTo?: number;
	/** The connection is cut and nothing was done. */
	dropBefore?: boolean;
	/** The call is acted on and the response is lost. */
	dropAfter?: boolean;
	delayMs?: number;
	/** How many calls; once unless told. */
	times?: number;
	/** Only calls for this chat. */
	chatId?: number;
	/** Only calls with this in their text, or with a text that is like this. */
	text?: string | RegExp;
}

interface Armed extends Fault {
	method: string;
	left: number;
}

export function createFaults() {
	const armed: Armed[] = [];
	return {
		add(method: string, fault: Fault): void {
			armed.push({ ...fault, method, left: fault.times ?? 1 });
		},
		take(method: string, params: Params): Fault | undefined {
			const fault = armed.find((each) => each.left > 0 && matches(each, method, params));
			if (fault !== undefined) fault.left -= 1;
			return fault;
		},
		clear(): void {
			armed.length = 0;
		},
	};
}

const matches = (fault: Armed, method: string, params: Params) =>
	(fault.method === "*" || fault.method === method) &&
	(fault.chatId === undefined || fault.chatId === numberOf(params, "chat_id")) &&
	(fault.text === undefined || hasText(textOf(params, "text") ?? "", fault.text));

const hasText = (given: string, wanted: string | RegExp) => (typeof wanted === "string" ? given.includes(wanted) : wanted.test(given));
