import { isStorageRefusal } from "../active/storage-retry.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError, type ErrorCode } from "../kernel/errors.ts";
import type { OutboxEntry, OutboxState, OutboxStore } from "../ports/fleet-store.ts";

/** Older than that, a prompt is not sent before a person has said that it is still wanted. */
export const ASK_AFTER_MS = 900_000;
export const MAX_OUTBOX_ENTRIES = 200;
export const MAX_OUTBOX_PER_CONVERSATION = 20;
export const MAX_OUTBOX_CHARS = 4_194_304;

/** Prompts that wait for their hosts. Each goes out in its order, and runs once because its id never changes. */
export interface Outbox {
	/** The same twice is one entry. Throws `queue-full` or `id-reused`. */
	add(entry: Pick<OutboxEntry, "clientMessageId" | "host" | "conversationId" | "prompt" | "attachments" | "actor">): OutboxEntry;
	/** Throws `fleet-refused` when it may have arrived. */
	edit(clientMessageId: string, prompt: string): void;
	/** False: it may have arrived all the same. */
	drop(clientMessageId: string): boolean;
	/** A person still wants it. */
	confirm(clientMessageId: string): void;
	/** Whoever wrote these may not any more: they wait until somebody who may wants them. True: there were some. */
	ask(isTheirs: (actor: OutboxEntry["actor"]) => boolean): boolean;
	list(): OutboxEntry[];
	/** What goes out next to a host that is there, at most one of each conversation; they count as being sent from now on. Never throws. */
	take(host: string): OutboxEntry[];
	/** The disk refused what was to be taken last: it has to be taken again later, because nothing leaves that is not on disk as sent. */
	isHeldUp(): boolean;
	/** It is in the owner's log. Throws while the disk refuses; then it stays, and sent again it is the same. */
	arrived(clientMessageId: string): void;
	/** Never throws: of what the disk still calls being sent, a next start knows no more than that it may have arrived. */
	failed(clientMessageId: string, code: ErrorCode): void;
}

/** Begins with what is on the disk. */
export function createOutbox(store: OutboxStore, clock: Pick<Clock, "now">): Outbox {
	const entries = new Map(store.list().map((entry) => [entry.clientMessageId, asFound(entry)]));
	let isHeldUp = false;
	const set = (entry: OutboxEntry, change: Partial<OutboxEntry>) => {
		const next = { ...entry, ...change };
		store.put(next);
		entries.set(next.clientMessageId, next);
		return next;
	};
	// A clock that was set back says nothing about how long it has been.
	const isOld = ({ at }: OutboxEntry) => Math.abs(clock.now() - at) > ASK_AFTER_MS;

	return {
		add({ clientMessageId, host, conversationId, prompt, attachments, actor }) {
			const known = entries.get(clientMessageId);
			if (known !== undefined) {
				const isSame = known.host === host && known.conversationId === conversationId && known.prompt === prompt;
				if (!isSame) throw new AppError("id-reused", "This was sent before with other text. Send it again.");
				return known;
			}
			checkRoom([...entries.values()], { host, conversationId, chars: prompt.length });
			const entry: OutboxEntry = {
				clientMessageId,
				host,
				conversationId,
				prompt,
				attachments,
				actor,
				at: clock.now(),
				state: { kind: "waiting" },
				wasSent: false,
			};
			return set(entry, {});
		},
		edit(clientMessageId, prompt) {
			const entry = entries.get(clientMessageId);
			if (entry === undefined)
				throw new AppError("message-not-found", "This message does not wait any more.", { params: { reason: "not-queued" } });
			if (entry.wasSent && entry.state.kind !== "refused") {
				throw new AppError("fleet-refused", "This has been sent and may have arrived, so it cannot be changed. Drop it, or wait.", {
					params: { reason: "sent" },
				});
			}
			const others = [...entries.values()].filter((each) => each !== entry);
			checkRoom(others, { host: entry.host, conversationId: entry.conversationId, chars: prompt.length });
			set(entry, { prompt, at: clock.now(), state: { kind: "waiting" } });
		},
		drop(clientMessageId) {
			const entry = entries.get(clientMessageId);
			if (entry === undefined) return false;
			store.delete(clientMessageId);
			entries.delete(clientMessageId);
			return !entry.wasSent || entry.state.kind === "refused";
		},
		confirm(clientMessageId) {
			const entry = entries.get(clientMessageId);
			if (entry?.state.kind === "asking") set(entry, { at: clock.now(), state: { kind: "waiting" } });
		},
		ask(isTheirs) {
			const theirs = [...entries.values()].filter(
				({ actor, state }) => (state.kind === "waiting" || state.kind === "unconfirmed") && isTheirs(actor),
			);
			for (const entry of theirs) set(entry, { state: { kind: "asking" } });
			return theirs.length > 0;
		},
		list: () => [...entries.values()],
		take(host) {
			const taken: OutboxEntry[] = [];
			const blocked = new Set<string>();
			isHeldUp = false;
			for (const entry of entries.values()) {
				if (entry.host !== host || blocked.has(entry.conversationId)) continue;
				// The order of one conversation is the order in which a person wrote: what waits for an answer holds up what follows.
				blocked.add(entry.conversationId);
				if (entry.state.kind !== "waiting" && entry.state.kind !== "unconfirmed") continue;
				const marked = attempt(() =>
					set(entry, isOld(entry) ? { state: { kind: "asking" } } : { state: { kind: "sending", isFirst: !entry.wasSent }, wasSent: true }),
				);
				if (marked === undefined) isHeldUp = true;
				else if (marked.state.kind === "sending") taken.push(marked);
			}
			return taken;
		},
		isHeldUp: () => isHeldUp,
		arrived(clientMessageId) {
			if (!entries.has(clientMessageId)) return;
			store.delete(clientMessageId);
			entries.delete(clientMessageId);
		},
		failed(clientMessageId, code) {
			const entry = entries.get(clientMessageId);
			if (entry?.state.kind !== "sending") return;
			const isCertain = entry.state.isFirst && (code === "host-offline" || code === "fleet-not-connected");
			const change: Partial<OutboxEntry> = isCertain ? { state: { kind: "waiting" }, wasSent: false } : { state: stateAfter(code) };
			if (attempt(() => set(entry, change)) === undefined) entries.set(clientMessageId, { ...entry, ...change });
		},
	};
}

/** What was being sent when the server ended may have arrived. */
const asFound = (entry: OutboxEntry): OutboxEntry =>
	entry.state.kind === "sending" ? { ...entry, state: { kind: "unconfirmed" } } : entry;

/** Undefined when the disk refuses; whoever sends has nobody to tell, and people are told of the disk. */
function attempt<T>(write: () => T): T | undefined {
	try {
		return write();
	} catch (error) {
		if (isStorageRefusal(error)) return undefined;
		throw error;
	}
}

/** The host was not there, nobody knows, it came too late, or the host has said no. */
function stateAfter(code: ErrorCode): OutboxState {
	if (code === "command-expired") return { kind: "asking" };
	if (code === "host-offline" || code === "fleet-not-connected" || code === "host-unreachable" || code === "shutting-down")
		return { kind: "unconfirmed" };
	return { kind: "refused", code };
}

function checkRoom(others: readonly OutboxEntry[], added: { host: string; conversationId: string; chars: number }): void {
	const chars = others.reduce((sum, { prompt }) => sum + prompt.length, added.chars);
	const ofConversation = others.filter(({ host, conversationId }) => host === added.host && conversationId === added.conversationId).length;
	if (others.length < MAX_OUTBOX_ENTRIES && ofConversation < MAX_OUTBOX_PER_CONVERSATION && chars <= MAX_OUTBOX_CHARS) return;
	throw new AppError("queue-full", "Too many messages wait for other hosts. Drop some, or wait until their hosts are back.", {
		params: { reason: "outbox" },
	});
}
