import * as z from "zod/mini";
import { COPILOT_AGENT } from "../../core/ports/agents.ts";
import { BadValue, path, type ValueType } from "./config-values.ts";

export const MAX_AGENT_ENTRIES = 32;
const MAX_TEXT = 65_536;
const EXAMPLE = '[{"id": "mine", "command": ["my-agent", "--acp"]}]';

const AGENT_ID = /^[a-z0-9][a-z0-9_-]{0,39}$/;
/** A null byte would cut it off for the program that gets it. */
const argument = z.string().check(z.regex(/^[^\0]*$/));
const entrySchema = z.strictObject({
	id: z.string().check(z.regex(AGENT_ID)),
	name: z.optional(z.string().check(z.regex(/^(?=.*\S)[^\p{Cc}]{1,60}$/u))),
	command: z.tuple([argument.check(z.regex(/\S/))], argument),
	env: z.optional(z.record(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/)), argument)),
});

/** An agent that a person added, or whose command or environment they changed. */
export type AgentEntry = z.infer<typeof entrySchema>;

/** A JSON list of agents. What it holds is never quoted in a complaint: it may be a key. */
export const agentEntries: ValueType<AgentEntry[]> = {
	kind: "JSON list",
	json: true,
	parse(text) {
		if (text.length > MAX_TEXT) throw new BadValue(`must be at most ${MAX_TEXT} characters long`);
		const list = parseJson(text);
		if (!Array.isArray(list)) throw new BadValue(`must be a JSON list of agents, like ${EXAMPLE}`);
		if (list.length > MAX_AGENT_ENTRIES) throw new BadValue(`must name at most ${MAX_AGENT_ENTRIES} agents`);
		const entries = list.map((item: unknown, index) => readEntry(item, `entry ${index + 1}`));
		const ids = entries.map(({ id }) => id);
		const twice = ids.find((id, index) => ids.indexOf(id) !== index);
		if (twice !== undefined) throw new BadValue(`must name each agent once: "id" "${twice}" is there twice`);
		return entries;
	},
};

/** The id of an agent: small letters, digits and dashes. */
export const agentId: ValueType<string> = {
	kind: "id of an agent",
	parse(value) {
		if (!AGENT_ID.test(value)) throw new BadValue("must be the id of an agent: small letters, digits and dashes");
		return value;
	},
};

function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		// The parser's own message quotes the text around the mistake, which may be a key.
		throw new BadValue(`is not valid JSON: it must be a list of agents, like ${EXAMPLE}`);
	}
}

/** What each key must hold. */
const WANTED: Readonly<Record<string, string>> = {
	id: "must be 1 to 40 small letters, digits, dashes and underscores, beginning with a letter or digit",
	name: "must be a text of 1 to 60 characters in one line",
	command: 'must be a list of texts, the program first, like ["opencode", "acp"]',
	env: 'must be an object of texts by the names of variables, like {"LANG": "C"}',
};

function readEntry(item: unknown, where: string): AgentEntry {
	const read = z.safeParse(entrySchema, item);
	if (!read.success) throw new BadValue(complaint(read.error.issues, where));
	const { id, command, ...rest } = read.data;
	if (id === COPILOT_AGENT) throw new BadValue(`${where}: "id" must not be "${COPILOT_AGENT}", which is always there`);
	const [program, ...args] = command;
	return { id, command: [located(program), ...args], ...rest };
}

function complaint(issues: readonly z.core.$ZodIssue[], where: string): string {
	// A misspelt key is the mistake; that another one is missing follows from it.
	for (const issue of issues) {
		if (issue.code !== "unrecognized_keys") continue;
		const key = JSON.stringify((issue.keys[0] ?? "").slice(0, 40));
		return `${where} has the unknown key ${key}: there are "id", "name", "command" and "env"`;
	}
	const key = String(issues[0]?.path[0] ?? "");
	const wanted = WANTED[key];
	return wanted === undefined ? `${where} must be an object with "id" and "command"` : `${where}: "${key}" ${wanted}`;
}

/** An agent works in the folder of its conversation, where a relative path would be another file. */
const located = (program: string) => (program.includes("/") ? path.parse(program) : program);
