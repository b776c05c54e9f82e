import type { Mutant } from "./mutant.ts";

const AT = "packages/server/src/core";

export const CORE_MUTANTS: Mutant[] = [
	{
		name: "pending results of !cmd come in another order",
		file: `${AT}/commands/bash-context.ts`,
		search: "), prompt].join(",
		replace: ").reverse(), prompt].join(",
		tests: [`${AT}/commands/commands.test.ts`],
	},
	{
		name: "a result of !cmd is used twice",
		file: `${AT}/commands/pending-bash-context.ts`,
		search: '{ context: "used" }',
		replace: '{ context: "pending" }',
		tests: [`${AT}/commands/commands.test.ts`, `${AT}/commands/pending-bash-context.test.ts`],
	},
	{
		name: "an interrupted answer is not quoted",
		file: `${AT}/turns/turn-input.ts`,
		search: 'last.metadata.outcome !== "interrupted"',
		replace: 'last.metadata.outcome === "interrupted"',
		tests: [`${AT}/turns/sessions.test.ts`],
	},
	{
		name: "a repeated prompt runs again",
		file: `${AT}/turns/prompts.ts`,
		search: "if (known !== undefined) return repeated(known, payloadHash);",
		replace: "void repeated;",
		tests: [`${AT}/turns/turns.test.ts`],
	},
	{
		name: "an empty prompt is taken",
		file: `${AT}/turns/prompts.ts`,
		search: 'request.prompt.trim() === "" && attachments.length === 0',
		replace: "false",
		tests: [`${AT}/turns/turns.test.ts`, `${AT}/turns/prompt-queue.test.ts`],
	},
	{
		name: "turns have no limit on this server",
		file: `${AT}/turns/dispatcher.ts`,
		search: "return active.withTurn().length < deps.maxTurns;",
		replace: "return true;",
		tests: [`${AT}/turns/prompt-queue.test.ts`],
	},
	{
		name: "a conversation that is being deleted takes its queue up",
		file: `${AT}/turns/dispatcher.ts`,
		search: "if (closing.has(id)) continue;",
		replace: "",
		tests: [`${AT}/conversations/delete-conversation.test.ts`],
	},
	{
		name: "ask mode approves by itself",
		file: `${AT}/asks/permission-manager.ts`,
		search: 'if (deps.modeOf(conversationId) === "auto")',
		replace: 'if (deps.modeOf(conversationId) !== "auto" || true)',
		tests: [`${AT}/asks/pending-requests.test.ts`],
	},
	{
		name: "one approval allows every command",
		file: `${AT}/asks/permission-manager.ts`,
		search: "return JSON.stringify([kind, toolName, summary, detail]);",
		replace: "return JSON.stringify([kind, toolName]);",
		tests: [`${AT}/asks/pending-requests.test.ts`],
	},
	{
		name: "a failed turn does not give results back",
		file: `${AT}/turns/turn-end.ts`,
		search: 'if (end.outcome !== "completed" && isUntouched(turn)) deps.bashContext.giveBack(',
		replace: 'if (end.outcome === "completed" && isUntouched(turn)) deps.bashContext.giveBack(',
		tests: [`${AT}/commands/commands.test.ts`, `${AT}/commands/pending-bash-context.test.ts`],
	},
	{
		name: "an end is not tried again while the disk refuses",
		file: `${AT}/active/storage-retry.ts`,
		search: "if (!later) return;",
		replace: "return;",
		tests: [`${AT}/turns/turns.test.ts`, `${AT}/active/keep-end.test.ts`, `${AT}/log/event-log.test.ts`],
	},
	{
		name: "an aborted turn waits for a runtime that hangs",
		file: `${AT}/turns/turn-state.ts`,
		search: 'input.kind === "reported" || input.kind === "deadline"',
		replace: 'input.kind === "reported"',
		tests: [`${AT}/turns/turns.test.ts`],
	},
	{
		name: "idle sessions are never let go",
		file: `${AT}/turns/held-sessions.ts`,
		search: "else void release(conversationId);",
		replace: "",
		tests: [`${AT}/turns/sessions.test.ts`],
	},
	{
		name: "tool results have no bound",
		file: `${AT}/kernel/truncate.ts`,
		search: "if (text.length <= max) return text.toWellFormed();",
		replace: "if (max > 0) return text.toWellFormed();",
		tests: [`${AT}/kernel/truncate.test.ts`],
	},
];
