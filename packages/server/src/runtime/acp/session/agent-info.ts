import * as z from "zod/mini";
import { fieldsOf, listOf, textOf, wordOf } from "../fields.ts";

/** What an agent says about itself in `initialize`. */
export interface AgentInfo {
	version: string | undefined;
	canResume: boolean;
	canLoad: boolean;
	canClose: boolean;
	canList: boolean;
	canFork: boolean;
	canSteer: boolean;
	/** Takes MCP servers over HTTP. */
	hasHttp: boolean;
	hasImages: boolean;
	/** Takes what is in a file along with a prompt. */
	hasEmbedded: boolean;
	/** What logs a person in, as typed in a terminal, when the agent tells it. */
	loginCommand: string | undefined;
}

const answerSchema = z.object({ protocolVersion: z.number() });

/** The one version that we speak. */
export const PROTOCOL_VERSION = 1;

export const INITIALIZE = {
	protocolVersion: PROTOCOL_VERSION,
	clientInfo: { name: "rightseat", title: "Rightseat", version: "1" },
	// No agent uses a client's terminals, and files are written past us in any case.
	clientCapabilities: {
		fs: { readTextFile: false, writeTextFile: false },
		terminal: false,
		elicitation: { form: {}, url: {} },
		session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
		auth: { terminal: true },
	},
};

/** The answer to `initialize`; a text says what is wrong with it. */
export function readAgentInfo(raw: unknown, command: readonly string[]): AgentInfo | string {
	const answer = answerSchema.safeParse(raw);
	if (!answer.success) return "its answer to initialize is none";
	const { protocolVersion } = answer.data;
	if (protocolVersion !== PROTOCOL_VERSION) return `it speaks version ${protocolVersion} of the protocol, and we speak ${PROTOCOL_VERSION}`;
	const said = fieldsOf(raw);
	const can = fieldsOf(said.agentCapabilities);
	const sessions = fieldsOf(can.sessionCapabilities);
	const has = (value: unknown) => value !== undefined && value !== null && value !== false;
	return {
		version: wordOf(fieldsOf(said.agentInfo).version),
		canResume: has(sessions.resume),
		canLoad: can.loadSession === true,
		canClose: has(sessions.close),
		canList: has(sessions.list),
		canFork: has(sessions.fork),
		canSteer: fieldsOf(fieldsOf(said._meta).steering).supported === true,
		hasHttp: fieldsOf(can.mcpCapabilities).http === true,
		hasImages: fieldsOf(can.promptCapabilities).image === true,
		hasEmbedded: fieldsOf(can.promptCapabilities).embeddedContext === true,
		loginCommand: readLogin(said.authMethods, command),
	};
}

/** A method of type `terminal` adds arguments to the agent's own command; an older form carries a whole command. */
function readLogin(methods: unknown, command: readonly string[]): string | undefined {
	for (const method of listOf(methods).map(fieldsOf)) {
		if (method.type === "terminal") return commandLine([...command, ...listOf(method.args)]);
		const older = fieldsOf(fieldsOf(method._meta)["terminal-auth"]);
		if (textOf(older.command) !== undefined) return commandLine([older.command, ...listOf(older.args)]);
	}
	return undefined;
}

const commandLine = (words: readonly unknown[]) =>
	words
		.flatMap((word) => textOf(word) ?? [])
		.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
		.join(" ");
