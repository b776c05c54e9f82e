const TELEGRAM = "packages/server/src/channels/telegram";

const mutant = (name: string, file: string, search: string, replace: string) => ({
	...{ area: "telegram", name, file: `${TELEGRAM}/${file}`, search, replace },
	parts: ["telegram"],
});

/** Ways to break the Telegram channel that rounds must notice, in the form of the list of all of them. */
export const TELEGRAM_SIMULATION_MUTANTS = [
	mutant(
		"updates are confirmed that were not stored",
		"inbox/inbox.ts",
		"const next = (highest.get() ?? -1) + 1;",
		"const next = (highest.get() ?? -1) + 2;",
	),
	mutant("an update that comes again is handled again", "inbox/inbox.ts", "payload).changes > 0;", "payload).changes >= 0;"),
	mutant("a message whose confirmation was lost is sent again", "outbox/send-queue.ts", '!inDoubt || work.kind === "send"', "!inDoubt"),
	mutant(
		"what was on its way when the process died waits again",
		"outbox/outbox-store.ts",
		"SET state = 'unknown' WHERE state = 'sending'",
		"SET state = 'pending' WHERE state = 'sending'",
	),
	mutant(
		"nobody is told of a message in doubt",
		"outbox/stored-sends.ts",
		'if (delivery === "unknown" && row !== undefined) deps.onUnknown(row);',
		"",
	),
	mutant(
		"a status message is not noted for the next process",
		"outbox/live-state.ts",
		'if (!isFinal) return { ...next, notes: [{ kind: "add", messageId }] };',
		"if (!isFinal) return next;",
	),
	mutant(
		"the answer of a turn that ended while nobody watched is not delivered",
		"render/chat-view.ts",
		"		turn.recover(untold, data.messages, data.turn?.userMessageId);\n",
		"",
	),
	mutant(
		"what an earlier process took is not taken up",
		"inbox/update-handler.ts",
		"for (const update of inbox.pending()) handle(update);",
		"",
	),
	mutant(
		"a chat that moves notes neither what runs nor what was said where it goes",
		"chats/chat-moves.ts",
		"const known = { openTurn, told: isShown ? sessions.told(thread) : told };",
		"const known = { openTurn: void openTurn, told: void told };",
	),
	mutant(
		"a `/new` counts as handled only after it was done",
		"commands/conversation-commands.ts",
		"				done();\n			});\n",
		"				void done;\n			});\n",
	),
	mutant(
		"a message is in doubt before the notice about it is stored",
		"outbox/stored-sends.ts",
		"			deps.sql.transaction(() => {\n",
		"			[0].forEach(() => {\n",
	),
	mutant("a person who was removed is still written to", "chats/chat-lifecycle.ts", "				outbox.shutOut();\n", ""),
];
