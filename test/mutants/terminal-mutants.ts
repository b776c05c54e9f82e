import type { Mutant } from "./mutant.ts";

const AT = "packages/cli/src";

export const TERMINAL_MUTANTS: Mutant[] = [
	{
		name: "a terminal allows what it has not shown whole",
		file: `${AT}/terminal/asks.ts`,
		search: 'if (decision === undefined || (decision !== "reject" && !isWhole(ask.request))) return undefined;',
		replace: "if (decision === undefined) return undefined;",
		tests: [`${AT}/terminal/asks.test.ts`],
	},
	{
		name: "a terminal remembers what it has not shown whole",
		file: `${AT}/terminal/asks.ts`,
		search: "ask.request.remember !== undefined && isWhole(ask.request))",
		replace: "ask.request.remember !== undefined)",
		tests: [`${AT}/terminal/asks.test.ts`],
	},
	{
		name: "a terminal leaves out an event after a gap",
		file: `${AT}/connection/follower.ts`,
		search: "if (!isAsking) subscribe();",
		replace: "position = { epoch, lastSeq: seq };",
		tests: [`${AT}/connection/follower.test.ts`],
	},
	{
		name: "a frame that a terminal cannot read is asked for for ever",
		file: `${AT}/connection/follower.ts`,
		search: "position = undefined;\n\t\t\t\treturn subscribe();",
		replace: "return subscribe();",
		tests: [`${AT}/connection/follower.test.ts`],
	},
	{
		name: "a command ends before the server knows that its answer was seen",
		file: `${AT}/commands/leaving.ts`,
		search: "if (deps.isSeen()) untilHeard(end);\n\t\t\telse close(end);",
		replace: "close(end);",
		tests: [`${AT}/commands/leaving.test.ts`],
	},
	{
		name: "a question that was answered elsewhere is still asked in a terminal",
		file: `${AT}/terminal/person.ts`,
		search: "if (index >= 0) waiting.splice(index, 1);",
		replace: "",
		tests: [`${AT}/terminal/person.test.ts`],
	},
];
