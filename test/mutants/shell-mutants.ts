import type { Mutant } from "./mutant.ts";

const AT = "packages/server/src/shell";
const PACKAGE = "packages/shell/src";
const BASH = "packages/server/src/shell/service/bash-tool.test.ts";

export const SHELL_MUTANTS: Mutant[] = [
	{
		name: "the Bash default of 120 s is 600",
		file: `${AT}/service/bash-tool.ts`,
		search: "export const DEFAULT_TIMEOUT_MS = 120_000;",
		replace: "export const DEFAULT_TIMEOUT_MS = 600_000;",
		tests: [BASH],
	},
	{
		name: "the advice to prefer specialised tools is gone",
		file: `${AT}/service/bash-tool.ts`,
		search: " Prefer specialised tools for reading, searching and editing files.",
		replace: "",
		tests: [BASH],
	},
	{
		name: "a command with a NUL runs up to it",
		file: `${AT}/service/bash-tool.ts`,
		search: 'if (command.includes("\\0"))',
		replace: 'if (command === "\\0")',
		tests: [BASH, "test/features/shell/output.server.test.ts"],
	},
	{
		name: "a timeout has no maximum",
		file: `${AT}/service/bash-tool.ts`,
		search: "timeoutMs: Math.min(Math.round(timeout), MAX_TIMEOUT_MS)",
		replace: "timeoutMs: Math.round(timeout)",
		tests: [BASH, "test/features/shell/kill.server.test.ts"],
	},
	{
		name: "commands see our secrets",
		file: `${PACKAGE}/environment/child-env.ts`,
		search: "return OURS.test(name) || secrets.includes(name);",
		replace: "return OURS.test(name) && secrets.includes(name);",
		tests: [`${PACKAGE}/environment/child-env.test.ts`],
	},
	{
		name: "every variable of the server reaches commands",
		file: `${PACKAGE}/environment/child-env.ts`,
		search: "ALLOWED.test(name) && ",
		replace: "",
		tests: [`${PACKAGE}/environment/child-env.test.ts`],
	},
	{
		name: "a filter may take for ever",
		file: `${PACKAGE}/output/filter.ts`,
		search: "if (performance.now() - began > budgetMs) return undefined;",
		replace: "",
		tests: [`${PACKAGE}/output/filter.test.ts`],
	},
	{
		name: "a kill may reach a reused process number",
		file: `${PACKAGE}/process/kill.ts`,
		search: "leader === undefined || target.start === undefined || leader.start === target.start;",
		replace: "true || leader === undefined;",
		tests: [`${PACKAGE}/process/kill.test.ts`],
	},
];
