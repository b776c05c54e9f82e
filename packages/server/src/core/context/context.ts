import { lastUsage } from "@rightseat/protocol/fold/conversation";
import type { ContextPicture } from "@rightseat/protocol/http/context";
import { cutText } from "@rightseat/protocol/text";
import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import { isoTime } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { MessageStore } from "../ports/store.ts";
import type { PromptReceipt, PromptRequest } from "../turns/prompt-request.ts";
import { type AsidesDeps, type AskAside, createAsides } from "./asides.ts";
import { cannot } from "./cannot.ts";

/** Pictures that are kept of conversations whose session is closed; the oldest is forgotten. */
const MAX_PICTURES = 200;
const MAX_PARTS = 20;
const MAX_KIND_CHARS = 40;
export const MAX_LABEL_CHARS = 120;
export const MAX_HEAVIEST = 5;
/** Newest messages that are looked through for what an answer said of the context. */
const LOOKED_MESSAGES = 20;

/** What a conversation's model has before it. */
export interface ConversationContext {
	/** Asks the model something that leaves no trace here, also while a turn runs. */
	askAside: AskAside;
	/** What fills it. Never starts an agent: of a session that is closed, what was last known. Throws `conversation-not-found`. */
	lookAtContext(id: ConversationId): Promise<ContextPicture>;
	/**
	 * Begins a turn in which the agent summarises its history. Resolves when that is stored; what comes of it is told like any turn. Rejects with
	 * `conversation-busy`, with `agent-cannot`, or with `bad-request` where nothing was said yet.
	 */
	compact(id: ConversationId, by: Pick<PromptRequest, "origin" | "from" | "clientMessageId">): Promise<PromptReceipt>;
}

export function createContext(
	deps: AsidesDeps & {
		rows: Pick<ConversationRows, "get">;
		active: Pick<ActiveConversations, "find">;
		store: { messages: Pick<MessageStore, "page" | "findByClientId"> };
		prompt(request: PromptRequest): PromptReceipt;
		logger: Logger;
	},
): ConversationContext {
	const { clock, held } = deps;
	const { messages } = deps.store;
	const pictures = new Map<ConversationId, ContextPicture>();

	function keep(id: ConversationId, picture: ContextPicture): ContextPicture {
		pictures.delete(id);
		pictures.set(id, { ...picture, asOf: isoTime(clock.now()) });
		const [oldest] = pictures.keys();
		if (pictures.size > MAX_PICTURES && oldest !== undefined) pictures.delete(oldest);
		return picture;
	}

	async function look(id: ConversationId): Promise<ContextPicture | undefined> {
		try {
			const picture = await held.find(id)?.session.lookAtContext?.();
			return picture === undefined ? undefined : keep(id, bounded(deps.redactor, picture));
		} catch (error) {
			// Its process may be gone; what was last known is better than nothing.
			deps.logger.info({ err: error, conversationId: id }, "An agent did not say what fills its context");
			return undefined;
		}
	}

	/** What the newest answer said. */
	function fromUsage(id: ConversationId): ContextPicture {
		const running = deps.active.find(id)?.turn?.shown.usage;
		const usage = running ?? lastUsage(messages.page(id, { limit: LOOKED_MESSAGES }).messages);
		return { tokens: usage?.contextTokens ?? null, limit: usage?.contextLimit ?? null, categories: [] };
	}

	return {
		askAside: createAsides(deps),
		async lookAtContext(id) {
			const row = deps.rows.get(id);
			return (await look(row.id)) ?? pictures.get(row.id) ?? fromUsage(row.id);
		},
		async compact(id, by) {
			const row = deps.rows.getOpen(id);
			const { clientMessageId } = by;
			const isSent = clientMessageId !== undefined && messages.findByClientId(id, clientMessageId) !== undefined;
			if (!isSent && deps.active.find(id)?.turn === undefined) {
				if (row.sdkSessionId === null) throw nothingYet();
				const session = await deps.sessions.open(id);
				if (session.compacts?.() !== true) throw cannot(deps.agents, row.agent, "compact");
			}
			return deps.prompt({ ...by, conversationId: id, prompt: "/compact", task: "compact" });
		},
	};
}

/** An agent's own words are in it, and anything may be among them. */
function bounded({ text }: Redactor, picture: ContextPicture): ContextPicture {
	const { categories, heaviest } = picture;
	return {
		...picture,
		categories: categories.slice(0, MAX_PARTS).map(({ kind, tokens }) => ({ kind: cutText(kind, MAX_KIND_CHARS), tokens })),
		...(heaviest === undefined
			? {}
			: {
					heaviest: heaviest.slice(0, MAX_HEAVIEST).map(({ role, label, tokens }) => ({
						...{ role: cutText(role, MAX_KIND_CHARS), label: cutText(text(label), MAX_LABEL_CHARS), tokens },
					})),
				}),
	};
}

const nothingYet = () =>
	new AppError("bad-request", "Nothing was said here yet that could be summarised.", { params: { reason: "nothing-to-compact" } });
