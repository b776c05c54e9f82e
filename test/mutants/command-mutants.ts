import type { Mutant } from "./mutant.ts";

const CLI = "packages/cli/src";
const STOPPING = `${CLI}/commands/stopping.test.ts`;
const SERVICE = "packages/server/src/app/service";
const UPDATE = "test/features/service/update-faults.server.test.ts";
const MCP = "packages/server/src/channels/mcp";
const ACCESS = "test/features/mcp/access.server.test.ts";

/** Commands against a running server, the service, and other programs over MCP. */
export const COMMAND_MUTANTS: Mutant[] = [
	{
		name: "a second Ctrl-C stops the next prompt instead of leaving",
		file: `${CLI}/commands/stopping.ts`,
		search: "return !isSecond && stop();",
		replace: "return stop();",
		tests: [STOPPING],
	},
	{
		name: "a stop that waited for a lost line stops the next turn",
		file: `${CLI}/commands/stopping.ts`,
		search: "			stopped.forget();\n",
		replace: "",
		tests: [STOPPING],
	},
	{
		name: "an event that the line repeats is told again",
		file: `${CLI}/connection/follower.ts`,
		search: "if (epoch === position.epoch && seq <= position.lastSeq) return false;",
		replace: "if (epoch === position.epoch && seq <= position.lastSeq) return true;",
		tests: [`${CLI}/connection/follower.test.ts`],
	},
	{
		name: "the token of this machine goes to another",
		file: `${CLI}/find-server/find-server.ts`,
		search: '(isLoopback(url) ? readIfThere(join(home, "token"))?.trim() : undefined)',
		replace: 'readIfThere(join(home, "token"))?.trim()',
		tests: [`${CLI}/find-server/find-server.test.ts`],
	},
	{
		name: "what an agent says reaches the clipboard of the terminal",
		file: `${CLI}/terminal/safe-text.ts`,
		search: "\\u000b-\\u001f",
		replace: "\\u000b-\\u001a\\u001c-\\u001f",
		tests: [`${CLI}/terminal/safe-text.test.ts`],
	},
	{
		name: "an update keeps whatever answers, of whatever version",
		file: `${SERVICE}/update.ts`,
		search: "if (result.server?.version === version) {",
		replace: "if (result.server !== undefined) {",
		tests: [UPDATE],
	},
	{
		name: "an update looks for space only after it has fetched",
		file: `${SERVICE}/update.ts`,
		search: "		mustHaveSpace(deps, { folder: versions.folder, words, versionBytes: VERSION_BYTES });\n",
		replace: "",
		tests: [UPDATE],
	},
	{
		name: "an update that is taken back leaves the new definition",
		file: `${SERVICE}/update.ts`,
		search: "if (readIfThere(place.definitionFile) !== before.definition)",
		replace: "if (before.definition === '')",
		tests: [UPDATE],
	},
	{
		name: "an update copies a database that its server still has",
		file: `${SERVICE}/stop-whole.ts`,
		search: "if (owner === undefined) return;",
		replace: "if (owner === undefined || place.home !== '') return;",
		tests: [`${SERVICE}/stop-whole.test.ts`],
	},
	{
		name: "a variable that may be a secret is shown",
		file: `${SERVICE}/environment-file.ts`,
		search: "return !isKnown || /proxy$/i.test(name);",
		replace: "return isKnown && /proxy$/i.test(name);",
		tests: [`${SERVICE}/environment-file.test.ts`],
	},
	{
		name: "a token for its own conversations sees every one",
		file: `${MCP}/access.ts`,
		search: 'caller.token.reach === "all" ||',
		replace: "caller.token.owner !== '' ||",
		tests: [ACCESS],
	},
	{
		name: "agents that start agents are bounded nowhere",
		file: `${MCP}/access.ts`,
		search: "if (depth >= MAX_DEPTH)",
		replace: "if (depth >= 100)",
		tests: [ACCESS],
	},
	{
		name: "an agent prompts the conversation that started it",
		file: `${MCP}/access.ts`,
		search: "target.origin !== origin || target.depth <= depth",
		replace: "target.origin !== origin",
		tests: [ACCESS],
	},
	{
		name: "what a revoked token waits for goes on",
		file: `${MCP}/endpoint.ts`,
		search: "			calls.get(tokenId)?.close();\n			calls.delete(tokenId);",
		replace: "			calls.delete(tokenId);",
		tests: ["test/features/mcp/endpoint.server.test.ts"],
	},
	{
		name: "calls over MCP are not in the audit log",
		file: `${MCP}/endpoint.ts`,
		search: 'deps.audit.record({ kind: "mcp"',
		replace: 'if (told === "") deps.audit.record({ kind: "mcp"',
		tests: ["test/features/mcp/limits.server.test.ts"],
	},
];
