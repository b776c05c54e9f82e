import type { AssistantMessage, Message } from "@rightseat/protocol/model/message";

/** So many are told when Telegram is reached again; a chat that was away for long is not flooded. */
const MAX_TOLD_LATER = 10;

/** The answers among the newest messages that came while nobody watched for the chat, oldest first. */
export interface UntoldAnswers {
	answers: AssistantMessage[];
	/** There are more before them. */
	isCut: boolean;
}

/**
 * `waited`: the prompt whose answer the chat waited for when it was last reached. `told`: the last answer that it was told, empty when there was none, and
 * undefined when nobody knows, as in what an older version has stored; then what is before the one it waited for counts as told.
 */
export function untoldAnswers(messages: readonly Message[], { waited, told }: { waited?: string; told?: string }): UntoldAnswers {
	const answers = messages.filter((message) => message.role === "assistant");
	const lastTold = answers.findIndex(({ id }) => id === told);
	const firstWaited = waited === undefined ? -1 : answers.findIndex(({ metadata }) => metadata.inReplyTo === waited);
	const afterTold = told === undefined ? answers.length : lastTold + 1;
	const untold = answers.slice(firstWaited === -1 ? afterTold : Math.min(firstWaited, afterTold));
	// Answers are never taken away: one that is not among the newest messages is before them.
	const isBefore = told !== undefined && told !== "" && lastTold === -1;
	return { answers: untold.slice(-MAX_TOLD_LATER), isCut: untold.length > MAX_TOLD_LATER || (isBefore && untold.length > 0) };
}

/** What a chat counts as told that begins here: what was said before is not news. Empty when there is no answer. */
export const lastAnswer = (messages: readonly Message[]): string => messages.findLast(({ role }) => role === "assistant")?.id ?? "";
