import type { Message } from "@rightseat/protocol/model/message";
import { describeReached } from "@rightseat/protocol/sentences/describe-reached";
import { cutText } from "@rightseat/protocol/text";
import * as z from "zod/mini";
import { type ConversationId, conversationId } from "../../../core/kernel/ids.ts";
import { refuse } from "../refusal.ts";
import { boundText, conversationArgument, defineTool, MAX_ANSWER_BYTES, type McpTool, type ToolDeps } from "./mcp-tool.ts";

/** A wait ends by itself; most clients give a call up after a minute unless they hear of progress. */
const DEFAULT_WAIT_SECONDS = 50;
const MAX_WAIT_SECONDS = 600;
/** Calls of one token that wait. */
export const MAX_WAITING = 8;
/** How far back the answer to a prompt is looked for. */
const LOOK_BACK = 20;
const MAX_REQUESTS = 10;

type Why = "ended" | "asking" | "still-running" | "stopped";

/** Waits for the answer. */
export function awaitTurn(deps: ToolDeps): McpTool {
	const { conversations, access } = deps;
	/** By owner of the token. */
	const waiting = new Map<string, number>();

	/** The answer to the prompt, or to the last one. */
	function answerOf(id: ConversationId, prompt: string | undefined) {
		const { messages } = conversations.messages(id, { limit: LOOK_BACK });
		return messages.findLast((message) => message.role === "assistant" && (prompt === undefined || message.metadata.inReplyTo === prompt));
	}
	function look(
		id: ConversationId,
		{ messageId, waitForPerson }: { messageId?: string | undefined; waitForPerson: boolean },
	): Why | undefined {
		const conversation = conversations.find(id);
		if (conversation === undefined) return "ended";
		if (conversation.asking && !waitForPerson) return "asking";
		if (messageId !== undefined && answerOf(id, messageId) !== undefined) return "ended";
		if (conversation.status === "streaming") return undefined;
		// The next queued prompt begins by itself, unless the last turn failed.
		return conversations.queue(id).length === 0 || conversation.status === "error" ? "ended" : undefined;
	}

	return defineTool({
		name: "await_turn",
		description:
			"Waits until the turn of a conversation has ended and gives its answer. Returns earlier with state asking when a person must answer a question or allow something first (you cannot), or still-running when the time is over: call it again then.",
		schema: z.object({
			conversationId: conversationArgument,
			messageId: z.optional(z.string().check(z.minLength(1), z.maxLength(200), z.describe("The prompt whose answer is meant."))),
			timeoutSeconds: z._default(z.int().check(z.minimum(1), z.maximum(MAX_WAIT_SECONDS)), DEFAULT_WAIT_SECONDS),
			waitForPerson: z._default(z.boolean().check(z.describe("Go on waiting while a person is asked something.")), false),
		}),
		isReadOnly: true,
		async run({ conversationId: asked, timeoutSeconds, ...what }, { caller, signal }) {
			const id = conversationId(access.act(caller, asked).id);
			const { owner } = caller.token;
			const count = waiting.get(owner) ?? 0;
			if (count >= MAX_WAITING) refuse("rate-limited", `${MAX_WAITING} calls of this token wait already.`);
			waiting.set(owner, count + 1);
			const why = await settled({ id, timeoutSeconds, signal, look: () => look(id, what) }, deps).finally(() => leave(owner));
			const conversation = conversations.find(id);
			if (conversation === undefined) return refuse("conversation-not-found", "This conversation was deleted meanwhile.");
			const answer = why === "still-running" ? undefined : answerOf(id, what.messageId);
			return {
				conversationId: id,
				state: why === "ended" && answer?.role === "assistant" ? answer.metadata.outcome : why,
				queued: conversations.queue(id).length,
				...(conversation.asking
					? { waitingForPerson: requestsOf(id), note: "A person answers on the page, in a terminal or in Telegram." }
					: {}),
				...(why === "ended" && answer !== undefined ? { answer: shownOf(answer) } : {}),
			};
		},
	});

	function leave(owner: string) {
		const left = (waiting.get(owner) ?? 1) - 1;
		if (left === 0) waiting.delete(owner);
		else waiting.set(owner, left);
	}
	function requestsOf(id: ConversationId) {
		const { questions, permissions, plans, budgets, forms } = conversations.pending(id);
		const asked = questions.map(({ question }) => ({ kind: "question", text: cutText(question, 500) }));
		const permits = permissions.map(({ summary }) => ({ kind: "permission", text: cutText(summary, 500) }));
		const planned = plans.map(({ summary }) => ({ kind: "plan", text: cutText(summary, 500) }));
		const filled = forms.map(({ source, message }) => ({ kind: "form", text: cutText(`${source}: ${message}`, 500) }));
		return [
			...asked,
			...permits,
			...planned,
			...filled,
			...budgets.map((reached) => ({ kind: "budget", text: describeReached(reached) })),
		].slice(0, MAX_REQUESTS);
	}
}

interface Wait {
	id: ConversationId;
	timeoutSeconds: number;
	signal: AbortSignal;
	look(): Why | undefined;
}

function settled(
	{ id, timeoutSeconds, signal, look }: Wait,
	{ conversations, clock }: Pick<ToolDeps, "conversations" | "clock">,
): Promise<Why> {
	return new Promise((resolve, reject) => {
		const stops = [
			conversations.onChange((change) => {
				if ((change.kind === "deleted" ? change.id : change.conversation.id) === id) check();
			}),
			clock.after(timeoutSeconds * 1_000, () => end("still-running")),
		];
		const onAbort = () => end("stopped");
		signal.addEventListener("abort", onAbort, { once: true });
		function end(why: Why) {
			for (const stop of stops) stop();
			signal.removeEventListener("abort", onAbort);
			resolve(why);
		}
		function check() {
			try {
				const why = look();
				if (why !== undefined) end(why);
			} catch (error) {
				end("stopped");
				reject(error);
			}
		}
		if (signal.aborted) onAbort();
		else check();
	});
}

function shownOf(message: Message) {
	const { text, ofChars = message.truncated?.content } = boundText(message.content, MAX_ANSWER_BYTES - 8_192);
	const error = message.role === "assistant" ? message.metadata.error : undefined;
	return {
		...{ messageId: message.id, text, ...(ofChars === undefined ? {} : { ofChars }) },
		...(error === undefined ? {} : { error: { code: error.code, message: cutText(error.message, 1_000) } }),
	};
}
