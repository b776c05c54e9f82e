import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { type Awaitable, after } from "../../../core/kernel/awaitable.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { Messages } from "../messages/messages.ts";
import type { LiveMessage } from "../outbox/live-message.ts";
import { attemptAnswer } from "./attempt-answer.ts";
import type { FormStep, FormTap, FormWizard } from "./form-wizard.ts";
import type { TypedAnswer, TypedMessage } from "./typed-answer.ts";

interface OpenAsk {
	live: LiveMessage;
	question: unknown;
	form: FormWizard | undefined;
}

/** What people say to the forms that wait in a chat. */
export interface FormAsks {
	/** Does the next message, or one that replies to this one, fill in a field? */
	takesText(repliedTo: number | undefined): boolean;
	/** Undefined: it is about no form. */
	typed(message: TypedMessage, from: string): Awaitable<TypedAnswer> | undefined;
	/** What the person is told; undefined when it is over. */
	tap(tap: FormTap, from: string): Awaitable<string | undefined>;
}

export function createFormAsks(deps: {
	/** Everything that waits in the chat, oldest first. */
	open: ReadonlyMap<string, OpenAsk>;
	conversationId: ConversationId;
	conversations: Pick<EveryConversations, "fillIn">;
	words: () => Messages;
}): FormAsks {
	const { open, conversationId, conversations } = deps;

	/** The form that a message replies to, else the newest that takes text, where no question waits. */
	function find(repliedTo: number | undefined): { requestId: string; form: FormWizard } | undefined {
		const seen = [...open].filter(([, { live }]) => live.mayBeSeen());
		const isFree = !seen.some(([, { question }]) => question !== undefined);
		const forms = seen.flatMap(([requestId, { form, live }]) => (form === undefined ? [] : [{ requestId, form, live }]));
		if (repliedTo !== undefined) return forms.find(({ live }) => live.messageId() === repliedTo);
		return isFree ? forms.findLast(({ form }) => form.takesText()) : undefined;
	}
	/** What a person said goes out when everything is there; before that the next field is asked for. */
	function advance(requestId: string, step: FormStep, from: string): Awaitable<TypedAnswer> {
		const who = { conversationId, requestId, by: "telegram", from } as const;
		if (step.kind === "accept") return attemptAnswer(() => conversations.fillIn({ ...who, action: "accept", content: step.content }));
		if (step.kind === "decline") return attemptAnswer(() => conversations.fillIn({ ...who, action: "decline" }));
		const asked = open.get(requestId);
		if (asked?.form !== undefined) asked.live.set(asked.form.message().content, true);
		return "answered";
	}

	return {
		takesText: (repliedTo) => find(repliedTo) !== undefined,
		typed({ text, repliedTo, choicesOnly }, from) {
			const found = choicesOnly ? undefined : find(repliedTo);
			if (found === undefined) return undefined;
			return found.form.takesText() ? advance(found.requestId, found.form.type(text), from) : "needs-button";
		},
		tap(tap, from) {
			const step = open.get(tap.requestId)?.form?.tap(tap);
			if (step === undefined || step.kind === "late") return undefined;
			return after(advance(tap.requestId, step, from), (answer) => (answer === "answered" ? deps.words().answered : undefined));
		},
	};
}
