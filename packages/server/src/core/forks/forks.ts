import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Origin } from "@rightseat/protocol/model/vocabulary";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Doubts } from "../active/doubts.ts";
import { AppError } from "../kernel/errors.ts";
import { fingerprint } from "../kernel/fingerprint.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import { checkPrompt, type SendPrompt } from "../turns/prompts.ts";
import { findSent } from "../turns/sent-prompts.ts";
import { type CopyDeps, createCopies } from "./copy-conversation.ts";

/** Forks that are being made at the same time. */
export const MAX_FORKING = 8;

/** Where to go on from, and with what. */
export interface ForkRequest {
	/** What stands before it is copied; without it everything. */
	before?: MessageId | undefined;
	/** Sent in the fork at once, with the attachments of the message that it takes the place of. */
	prompt?: string | undefined;
	/** The same twice is one fork, and its prompt runs once. */
	clientMessageId?: string | undefined;
}

/** Conversations that go on from a message of another one. */
export interface Forks {
	/**
	 * Copies what is stored before the cut; what still runs in the source is not. Rejects with `message-not-found`, `empty-prompt`, `too-large`, `id-reused`
	 * or `rate-limited`, and then nothing is left of it.
	 */
	fork(id: ConversationId, request: ForkRequest, origin: Origin): Promise<Conversation>;
	/** What a crash left of forks that were being made goes. To be called before anybody can fork. */
	removeUnfinished(): Promise<void>;
	/** What was forked from it, oldest first. */
	forks(id: ConversationId): Conversation[];
}

export function createForks(
	deps: CopyDeps & {
		rows: ConversationRows;
		changes: Pick<ConversationChanges, "view" | "created" | "updated">;
		doubts: Pick<Doubts, "has">;
		redactor: Redactor;
		prompt: SendPrompt;
	},
): Forks {
	const { store, rows, changes } = deps;
	const copies = createCopies(deps);
	const running = new Map<string, Promise<ConversationId>>();

	/** Two concurrent calls with one key are one fork. */
	function begin(key: string, make: () => Promise<ConversationId>): Promise<ConversationId> {
		const known = running.get(key);
		if (known !== undefined) return known;
		if (running.size >= MAX_FORKING) throw tooMany();
		const made = make().finally(() => running.delete(key));
		running.set(key, made);
		return made;
	}

	async function make(id: ConversationId, request: ForkRequest, forkKey: string | null): Promise<ConversationId> {
		const source = rows.getOpen(id);
		const cut = store.messages.findCut(id, request.before);
		if (cut === undefined) throw noSuchMessage();
		const made = await copies.copy(source, {
			cut,
			at: request.before ?? cut.last ?? null,
			forkKey,
			isEdited: request.prompt !== undefined,
		});
		changes.created(made);
		changes.updated(id);
		return made.id;
	}

	/** The fork that was made under this key before; throws `id-reused` when that was another one. */
	function findMade(id: ConversationId, forkKey: string, clientMessageId: string): ConversationId | undefined {
		const made = store.conversations.forksOf(id).find((row) => row.forkKey?.endsWith(` ${clientMessageId}`) === true);
		if (made !== undefined && made.forkKey !== forkKey) throw reused();
		return made?.id;
	}

	function makeOnce(id: ConversationId, request: ForkRequest): Promise<ConversationId> | ConversationId {
		const { before, prompt, clientMessageId } = request;
		if (clientMessageId === undefined) return begin(deps.ids.next(), () => make(id, request, null));
		const forkKey = `${fingerprint(JSON.stringify([before ?? null, prompt ?? null]))} ${clientMessageId}`;
		return findMade(id, forkKey, clientMessageId) ?? begin(`${id} ${forkKey}`, () => make(id, request, forkKey));
	}

	return {
		removeUnfinished: copies.removeUnfinished,
		async fork(id, given, origin) {
			const prompt = given.prompt === undefined ? undefined : deps.redactor.text(given.prompt);
			const request = { ...given, prompt };
			const { before, clientMessageId } = request;
			rows.getOpen(id);
			const replaced = before === undefined ? undefined : store.messages.find(id, before);
			const files = replaced?.role === "user" ? (replaced.metadata.attachments ?? []).map((file) => file.id) : [];
			if (prompt !== undefined) checkPrompt(prompt, files.length);
			const fork = await makeOnce(id, request);
			if (prompt !== undefined && findSent(store.messages, fork, clientMessageId) === undefined) {
				const attachments = [...(await copies.attachments(files, fork)).values()];
				deps.prompt({ conversationId: fork, prompt, attachments, origin, ...(clientMessageId === undefined ? {} : { clientMessageId }) });
			}
			return changes.view(rows.get(fork));
		},
		forks(id) {
			const found = store.conversations.forksOf(rows.get(id).id);
			return found.filter((row) => !deps.doubts.has(row.id)).map(changes.view);
		},
	};
}

const noSuchMessage = () =>
	new AppError("message-not-found", "There is no such message in this conversation any more. Begin with the newest page again.");
const reused = () => new AppError("id-reused", "This clientMessageId was used for another fork. Use a new one.");
const tooMany = () =>
	new AppError("rate-limited", "Too many forks are being made. Try again in a moment.", { retryable: true, params: { reason: "forks" } });
