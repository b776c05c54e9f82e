import type { UserMessage, UserMetadata } from "@rightseat/protocol/model/message";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, type MessageId, messageId as toMessageId } from "../kernel/ids.ts";
import type { EventLog } from "../log/event-log.ts";
import type { MessageStore } from "../ports/store.ts";
import type { Announcements } from "./announcements.ts";
import { contextOf, leftOutBefore } from "./bash-context.ts";

/** Results of `!cmd` that wait for the next prompt: so many, and so long together in UTF-8. What is older is only named, then left out. */
export const MAX_PENDING_RESULTS = 50;
export const MAX_PENDING_BYTES = 262_144;
/** A prompt that was refused with less than this was not refused because of its results. */
const MIN_SHRUNK_BYTES = 8_192;

/** The results of `!cmd` that the next prompt carries. Each is used exactly once, unless it is given back. */
export interface PendingBashContext {
	/** Oldest first. */
	list(id: ConversationId): UserMessage[];
	/** Puts a stored result behind the ones that wait and tells everyone. Inside the commit that stores it. */
	add(id: ConversationId, messageId: MessageId): void;
	/** Takes everything that waits, for the prompt of this commit. */
	take(id: ConversationId): { contexts: string[]; ids: MessageId[] };
	/**
	 * The model never saw these results: they wait again, and everyone hears so. If it was the provider that refused the prompt, they go along shorter the
	 * next time, or a prompt that is too long because of them would never succeed: immediately when that was the reason, else the second time.
	 */
	giveBack(id: ConversationId, ids: readonly MessageId[], errorCode?: string): void;
	/** A person changes what a waiting result contributes. Throws `message-not-found` when it was used or dropped. */
	change(id: ConversationId, messageId: MessageId, change: Partial<UserMetadata>): void;
}

/** All of it is in the store: a restart changes nothing. */
export function createPendingBashContext(deps: {
	messages: Pick<MessageStore, "find" | "update" | "pendingContext">;
	log: Pick<EventLog, "append" | "commit">;
	announce: Announcements;
}): PendingBashContext {
	const { messages, log, announce } = deps;

	function list(id: ConversationId): UserMessage[] {
		return messages.pendingContext(id).flatMap((message) => (message.role === "user" ? [message] : []));
	}
	function set(id: ConversationId, messageId: MessageId, change: Partial<UserMetadata>): void {
		const message = messages.find(id, messageId);
		if (message?.role === "user") messages.update(id, messageId, { metadata: { ...message.metadata, ...change } });
	}

	/** Trims what waits to its bounds and tells of every change. */
	function makeRoom(id: ConversationId, maxBytes: number): void {
		const { changes, isNews } = shorten(list(id), maxBytes);
		for (const [messageId, change] of changes) {
			set(id, messageId, change);
			announce.updated(id, messageId);
		}
		if (!isNews) return;
		const message =
			"The command results that wait for the next prompt are too many or too long together: of the oldest ones only the command goes along, or nothing.";
		log.append(id, { type: "copilot:notice", data: { code: "context-shortened", message } });
	}

	return {
		list,
		add(id, messageId) {
			set(id, messageId, { context: "pending" });
			makeRoom(id, MAX_PENDING_BYTES);
			announce.context(id);
		},
		take(id) {
			// Results that an earlier version kept may be more than fit.
			makeRoom(id, MAX_PENDING_BYTES);
			const pending = list(id);
			for (const result of pending) {
				set(id, toMessageId(result.id), { context: "used" });
				announce.updated(id, toMessageId(result.id));
			}
			if (pending.length > 0) announce.context(id);
			return {
				contexts: pending.flatMap((result) => [...leftOutBefore(result), contextOf(result)]),
				ids: pending.map((result) => toMessageId(result.id)),
			};
		},
		giveBack(id, ids, errorCode) {
			let bytes = 0;
			let isShrinking = errorCode === "prompt-too-long";
			let given = 0;
			for (const messageId of ids) {
				const message = messages.find(id, messageId);
				if (message?.role !== "user" || message.metadata.context !== "used") continue;
				const refusals = (message.metadata.contextRefused ?? 0) + (errorCode === "provider-error" ? 1 : 0);
				if (refusals > 1) isShrinking = true;
				set(id, messageId, { context: "pending", ...(refusals === 0 ? {} : { contextRefused: refusals }) });
				announce.updated(id, messageId);
				bytes += bytesOf(message);
				given += 1;
			}
			if (given === 0) return;
			if (isShrinking && bytes > MIN_SHRUNK_BYTES) makeRoom(id, Math.floor(bytes / 4));
			announce.context(id);
		},
		change(id, messageId, change) {
			if (!list(id).some((result) => result.id === messageId))
				throw new AppError("message-not-found", "This result does not wait for the next prompt: it was used or dropped already.", {
					params: { reason: "not-pending" },
				});
			log.commit(() => {
				set(id, messageId, change);
				announce.updated(id, messageId);
				announce.context(id);
			});
		},
	};
}

/**
 * The oldest give way: first their output, of which the command stays named, then, when there are too many, they themselves. `isNews` when nothing had to
 * give way before.
 */
function shorten(all: readonly UserMessage[], maxBytes: number): { changes: [MessageId, Partial<UserMetadata>][]; isNews: boolean } {
	const changes: [MessageId, Partial<UserMetadata>][] = [];
	const surplus = all.slice(0, Math.max(0, all.length - MAX_PENDING_RESULTS));
	const pending = all.slice(surplus.length);
	const hadRoom = !pending.some(({ metadata }) => metadata.contextLeftOut !== undefined || metadata.contextMaxChars === 0);
	let leftOut = 0;
	for (const { id, metadata } of surplus) {
		leftOut += 1 + (metadata.contextLeftOut ?? 0);
		changes.push([toMessageId(id), { context: "dropped", contextLeftOut: undefined }]);
	}
	const [oldest] = pending;
	if (oldest !== undefined && leftOut > 0) {
		changes.push([toMessageId(oldest.id), { contextLeftOut: leftOut + (oldest.metadata.contextLeftOut ?? 0) }]);
	}
	let bytes = pending.reduce((sum, result) => sum + bytesOf(result), 0);
	let isTrimmed = false;
	for (const result of pending) {
		if (bytes <= maxBytes) break;
		if (result.metadata.contextMaxChars === 0) continue;
		const named = { ...result, metadata: { ...result.metadata, contextMaxChars: 0 } };
		bytes += bytesOf(named) - bytesOf(result);
		changes.push([toMessageId(result.id), { contextMaxChars: 0 }]);
		isTrimmed = true;
	}
	return { changes, isNews: hadRoom && (isTrimmed || leftOut > 0) };
}

function bytesOf(message: UserMessage): number {
	return Buffer.byteLength(contextOf(message));
}
