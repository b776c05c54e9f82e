import { isStorageRefusal } from "../active/storage-retry.ts";
import type { Cancel, Clock } from "../kernel/clock.ts";
import { AppError, type ErrorCode, toAppError } from "../kernel/errors.ts";
import { messageId } from "../kernel/ids.ts";
import type { OutboxEntry } from "../ports/fleet-store.ts";
import type { PromptReceipt } from "../turns/prompt-request.ts";
import type { Outbox } from "./outbox.ts";

/** What may have arrived is sent again after this time, while its host is there. */
const RESEND_MS = 5_000;

/** Brings prompts to other hosts: each is on disk first, goes out in its order, and runs once because its id never changes. */
export interface OutboxSender extends Pick<Outbox, "list" | "edit" | "drop" | "confirm"> {
	/**
	 * Resolves when its host has stored it, or with `delivery: "outbox"` when it waits. Rejects, and forgets it, when the host refuses it while somebody is
	 * there to hear of it.
	 */
	send(entry: Parameters<Outbox["add"]>[0]): Promise<PromptReceipt>;
	/** See `Outbox`. */
	ask(isTheirs: Parameters<Outbox["ask"]>[0]): void;
	/** A host may be there now. */
	pump(): void;
	/** Something of the list looks different. */
	onChange(listener: () => void): () => void;
	close(): void;
}

interface Waiter {
	resolve(receipt: PromptReceipt): void;
	reject(error: AppError): void;
}

/** Nobody said no: the way there failed, or it took too long. */
const ON_THE_WAY: ReadonlySet<ErrorCode> = new Set([
	...(["host-offline", "fleet-not-connected", "host-unreachable", "shutting-down", "command-expired"] as const),
]);

export function createOutboxSender(deps: {
	outbox: Outbox;
	clock: Pick<Clock, "after">;
	isOnline(host: string): boolean;
	/** Rejects with AppError. */
	deliver(entry: OutboxEntry): Promise<PromptReceipt>;
}): OutboxSender {
	const { outbox } = deps;
	const waiters = new Map<string, Waiter[]>();
	const listeners = new Set<() => void>();
	let retry: Cancel | undefined;
	let isClosed = false;

	const told = () => {
		for (const listener of listeners) listener();
	};
	const takeWaiters = (id: string) => {
		const waiting = waiters.get(id) ?? [];
		waiters.delete(id);
		return waiting;
	};

	function pump(): void {
		if (isClosed) return;
		const hosts = new Set(outbox.list().map(({ host }) => host));
		for (const host of hosts) {
			if (!deps.isOnline(host)) continue;
			for (const entry of outbox.take(host)) void deliver(entry);
			if (outbox.isHeldUp()) pumpLater();
		}
	}
	function pumpLater(): void {
		retry?.();
		if (!isClosed) retry = deps.clock.after(RESEND_MS, pump);
	}

	async function deliver(entry: OutboxEntry): Promise<void> {
		const { clientMessageId } = entry;
		try {
			arrived(clientMessageId, await deps.deliver(entry));
		} catch (error) {
			failed(clientMessageId, toAppError(error));
		}
		told();
	}

	function arrived(clientMessageId: string, receipt: PromptReceipt): void {
		for (const waiter of takeWaiters(clientMessageId)) waiter.resolve(receipt);
		if (isStored(() => outbox.arrived(clientMessageId))) pump();
		else {
			// The disk does not forget it now: it goes out again, is known there, and is forgotten then.
			outbox.failed(clientMessageId, "host-unreachable");
			pumpLater();
		}
	}

	function failed(clientMessageId: string, error: AppError): void {
		const waiting = takeWaiters(clientMessageId);
		outbox.failed(clientMessageId, error.code);
		if (waiting.length > 0 && !ON_THE_WAY.has(error.code)) {
			for (const waiter of waiting) waiter.reject(error);
			// If the disk does not forget it now it stays as refused, for a person to drop.
			if (isStored(() => void outbox.drop(clientMessageId))) pump();
			return;
		}
		for (const waiter of waiting) waiter.resolve(inOutbox(clientMessageId));
		pumpLater();
	}

	return {
		send(entry) {
			const kept = outbox.add(entry);
			const { clientMessageId } = kept;
			if (!deps.isOnline(kept.host)) {
				told();
				return Promise.resolve(inOutbox(clientMessageId));
			}
			return new Promise((resolve, reject) => {
				waiters.set(clientMessageId, [...(waiters.get(clientMessageId) ?? []), { resolve, reject }]);
				pump();
				// Behind one that waits, or waiting for a person itself.
				const isOnItsWay = outbox.list().some((each) => each.clientMessageId === clientMessageId && each.state.kind === "sending");
				if (!isOnItsWay) for (const waiter of takeWaiters(clientMessageId)) waiter.resolve(inOutbox(clientMessageId));
				told();
			});
		},
		pump,
		ask(isTheirs) {
			if (outbox.ask(isTheirs)) told();
		},
		list: outbox.list,
		edit(clientMessageId, prompt) {
			outbox.edit(clientMessageId, prompt);
			told();
			pump();
		},
		drop(clientMessageId) {
			const isCertain = outbox.drop(clientMessageId);
			for (const waiter of takeWaiters(clientMessageId))
				waiter.reject(new AppError("message-not-found", "This message was dropped.", { params: { reason: "not-queued" } }));
			told();
			pump();
			return isCertain;
		},
		confirm(clientMessageId) {
			outbox.confirm(clientMessageId);
			told();
			pump();
		},
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close() {
			isClosed = true;
			retry?.();
		},
	};
}

/** False: the disk refuses now. */
function isStored(write: () => void): boolean {
	try {
		write();
		return true;
	} catch (error) {
		if (isStorageRefusal(error)) return false;
		throw error;
	}
}

/** Sends a prompt at once if nothing of its conversation waits, and leaves to the outbox what does not get through: whoever has it safe elsewhere needs no disk first. */
export function sendFirst(deps: {
	sender: Pick<OutboxSender, "send" | "list">;
	isOnline(host: string): boolean;
	deliver(entry: Parameters<OutboxSender["send"]>[0]): Promise<PromptReceipt>;
}): OutboxSender["send"] {
	return async (entry) => {
		const isBehind = deps.sender.list().some(({ host, conversationId }) => host === entry.host && conversationId === entry.conversationId);
		if (isBehind || !deps.isOnline(entry.host)) return deps.sender.send(entry);
		try {
			return await deps.deliver(entry);
		} catch (error) {
			if (!ON_THE_WAY.has(toAppError(error).code)) throw error;
			return deps.sender.send(entry);
		}
	};
}

const inOutbox = (clientMessageId: string): PromptReceipt => ({
	messageId: messageId(clientMessageId),
	duplicate: false,
	delivery: "outbox",
});
