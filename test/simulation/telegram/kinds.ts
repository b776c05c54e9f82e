import { fault, type StepKind } from "../frame/part.ts";

/** What people do in chats, and what can be wrong with Telegram. */
export const TELEGRAM_KINDS: readonly StepKind[] = [
	{ name: "chat-prompt", weight: 12 },
	{ name: "chat-paste", weight: 1 },
	{ name: "chat-command", weight: 3 },
	{ name: "chat-batch", weight: 2 },
	{ name: "chat-stop", weight: 1.5 },
	{ name: "chat-new", weight: 1 },
	{ name: "chat-list", weight: 1 },
	{ name: "chat-link", weight: 3 },
	{ name: "chat-edit", weight: 2 },
	{ name: "chat-reply", weight: 2 },
	{ name: "chat-tap", weight: 8 },
	{ name: "chat-tap-again", weight: 2 },
	{ name: "person-let-in", weight: 2 },
	{ name: "network-back", weight: 4 },
	fault("person-removed", 0.5),
	fault("chat-batch-and-death", 2),
	fault("chat-move-and-death", 4),
	fault("call-fails", 8),
	fault("answer-unheard", 3),
	fault("chat-must-wait", 2),
	fault("network-down", 1.5),
	fault("network-late", 2),
	fault("conflict", 1),
	fault("update-again", 2),
];
