import type { UserMessage, UserMetadata } from "@rightseat/protocol/model/message";
import type { CoreContext } from "../active/core-context.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, type MessageId, messageId as toMessageId } from "../kernel/ids.ts";
import { announceContext, announceUpdate } from "./announcements.ts";
import { contextOf, leftOutBefore } from "./bash-context.ts";

/** Results of `!cmd` that wait for the next prompt: so many, and so long together in UTF-8. What is older is only named, then left out. */
export const MAX_PENDING_RESULTS = 50;
export const MAX_PENDING_BYTES = 262_144;
/** A prompt that was refused with less than this was not refused because of its results. */
const MIN_SHRUNK_BYTES = 8_192;

/** The results that wait, oldest first. */
export function pendingBashContext(core: CoreContext, id: ConversationId): UserMessage[] {
	return core.store.messages.pendingContext(id).flatMap((message) => (message.role === "user" ? [message] : []));
}

/** Puts a stored result behind the ones that wait and tells everyone. Inside the commit that stores it. */
export function addBashContext(core: CoreContext, id: ConversationId, messageId: MessageId): void {
	setContext(core, id, messageId, { context: "pending" });
	makeRoom(core, id, MAX_PENDING_BYTES);
	announceContext(core, id);
}

/** Takes everything that waits, for the prompt of this commit. Used exactly once, unless it is given back. */
export function takeBashContext(core: CoreContext, id: ConversationId): { contexts: string[]; ids: MessageId[] } {
	// Results that an earlier version kept may be more than fit.
	makeRoom(core, id, MAX_PENDING_BYTES);
	const pending = pendingBashContext(core, id);
	for (const result of pending) {
		setContext(core, id, toMessageId(result.id), { context: "used" });
		announceUpdate(core, id, toMessageId(result.id));
	}
	if (pending.length > 0) announceContext(core, id);
	return {
		contexts: pending.flatMap((result) => [...leftOutBefore(result), contextOf(result)]),
		ids: pending.map((result) => toMessageId(result.id)),
	};
}

/**
 * The model never saw these results: they wait again, and everyone hears so. If it was the provider that refused the prompt, they go along shorter the next
 * time, or a prompt that is too long because of them would fail for ever: at once when that was the reason, else the second time.
 */
export function giveBashContextBack(core: CoreContext, id: ConversationId, ids: readonly MessageId[], errorCode?: string): void {
	let bytes = 0;
	let isShrinking = errorCode === "prompt-too-long";
	let given = 0;
	for (const messageId of ids) {
		const message = core.store.messages.find(id, messageId);
		if (message?.role !== "user" || message.metadata.context !== "used") continue;
		const refusals = (message.metadata.contextRefused ?? 0) + (errorCode === "provider-error" ? 1 : 0);
		if (refusals > 1) isShrinking = true;
		setContext(core, id, messageId, { context: "pending", ...(refusals === 0 ? {} : { contextRefused: refusals }) });
		announceUpdate(core, id, messageId);
		bytes += bytesOf(message);
		given += 1;
	}
	if (given === 0) return;
	if (isShrinking && bytes > MIN_SHRUNK_BYTES) makeRoom(core, id, Math.floor(bytes / 4));
	announceContext(core, id);
}

/** A person changes what a waiting result contributes. Throws `message-not-found` when it was used or dropped. */
export function changeBashContext(core: CoreContext, id: ConversationId, messageId: MessageId, change: Partial<UserMetadata>): void {
	if (!pendingBashContext(core, id).some((result) => result.id === messageId))
		throw new AppError("message-not-found", "This result does not wait for the next prompt: it was used or dropped already.", {
			params: { reason: "not-pending" },
		});
	core.log.commit(() => {
		setContext(core, id, messageId, change);
		announceUpdate(core, id, messageId);
		announceContext(core, id);
	});
}

/** The oldest give way: first their output, of which the command stays named, then, when there are too many, they themselves. */
function makeRoom(core: CoreContext, id: ConversationId, maxBytes: number): void {
	const pending = pendingBashContext(core, id);
	const surplus = pending.splice(0, Math.max(0, pending.length - MAX_PENDING_RESULTS));
	const hadRoom = !pending.some(({ metadata }) => metadata.contextLeftOut !== undefined || metadata.contextMaxChars === 0);
	let leftOut = 0;
	for (const result of surplus) {
		leftOut += 1 + (result.metadata.contextLeftOut ?? 0);
		update(result, { context: "dropped", contextLeftOut: undefined });
	}
	const [oldest] = pending;
	if (oldest !== undefined && leftOut > 0) {
		update(oldest, { contextLeftOut: leftOut + (oldest.metadata.contextLeftOut ?? 0) });
	}
	let bytes = pending.reduce((sum, result) => sum + bytesOf(result), 0);
	let isTrimmed = false;
	for (const result of pending) {
		if (bytes <= maxBytes) break;
		if (result.metadata.contextMaxChars === 0) continue;
		bytes -= bytesOf(result);
		update(result, { contextMaxChars: 0 });
		bytes += bytesOf(result);
		isTrimmed = true;
	}
	if (hadRoom && (isTrimmed || leftOut > 0)) {
		const message =
			"The command results that wait for the next prompt are too many or too long together: of the oldest ones only the command goes along, or nothing.";
		core.log.append(id, { type: "copilot:notice", data: { code: "context-shortened", message } });
	}

	function update(result: UserMessage, change: Partial<UserMetadata>): void {
		Object.assign(result.metadata, change);
		setContext(core, id, toMessageId(result.id), change);
		announceUpdate(core, id, toMessageId(result.id));
	}
}

function bytesOf(message: UserMessage): number {
	return Buffer.byteLength(contextOf(message));
}

function setContext(core: CoreContext, id: ConversationId, messageId: MessageId, change: Partial<UserMetadata>): void {
	const message = core.store.messages.find(id, messageId);
	if (message?.role === "user") core.store.messages.update(id, messageId, { metadata: { ...message.metadata, ...change } });
}
