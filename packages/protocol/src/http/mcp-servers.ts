import * as z from "zod/mini";

/** A person's own MCP servers, in the shape that every client of MCP knows. */

/** Servers that one person may keep. */
export const MAX_MCP_SERVERS = 32;
const MAX_TEXT_CHARS = 8_192;
const MAX_ARGUMENTS = 64;
const MAX_SECRETS = 64;

/** A null byte would cut it off for the program that gets it. */
const text = z.string().check(z.maxLength(MAX_TEXT_CHARS, "This is too long."), z.regex(/^[^\0]*$/, "This holds a null byte."));
const name = z
	.string()
	.check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/, "A name has 1 to 60 letters, digits, dots, dashes and underscores."));
const address = z.string().check(
	z.maxLength(2_000, "This address is too long."),
	z.refine((url) => isWebAddress(url), "Give the whole address, beginning with http:// or https://, without a password in it."),
);
const variable = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "A variable has letters, digits and underscores."));
const header = z.string().check(z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/, "This is no name of a header."));
/** A line break would begin another header. */
const headerValue = text.check(z.regex(/^[^\r\n]*$/, "A header is one line."));

const TOO_MANY = "There are too many of these.";
const stdio = {
	type: z.optional(z.enum(["stdio", "local"])),
	command: text.check(z.regex(/\S/, "Name the program.")),
	args: z._default(z.array(text).check(z.maxLength(MAX_ARGUMENTS, "There are too many arguments.")), []),
};
const remote = { type: z._default(z.enum(["http", "sse"]), "http"), url: address };

const variables = z._default(z.record(variable, text), {});
const headers = z._default(z.record(header, headerValue), {});
const fewSecrets = z.refine<object>((values) => Object.keys(values).length <= MAX_SECRETS, TOO_MANY);
const sentVariables = z.optional(z.record(variable, z.nullable(text)).check(fewSecrets));
const sentHeaders = z.optional(z.record(header, z.nullable(headerValue)).check(fewSecrets));

/** Fields that are not named here are left out; but a program with an address would be two servers. */
const BOTH = "Give either a program or an address.";
const isProgram = z.refine<object>((server) => !("url" in server), BOTH);
const isRemote = z.refine<object>((server) => !("command" in server), BOTH);

const typed = (type: "stdio" | "local" | undefined) => (type === undefined ? {} : { type });

/** As it is kept, with its secrets. */
export const mcpServerSchema = z.union([
	z.pipe(
		z.looseObject({ ...stdio, env: variables }).check(isProgram),
		z.transform(({ type, command, args, env }) => ({ ...typed(type), command, args, env })),
	),
	z.pipe(
		z.looseObject({ ...remote, headers }).check(isRemote),
		z.transform(({ type, url, headers: given }) => ({ type, url, headers: given })),
	),
]);
export type McpServer = z.infer<typeof mcpServerSchema>;

/** As it is sent and shown: a value that is null, or that is left out with all the others, stays what it was. */
export const mcpServerInput = z.union([
	z.pipe(
		z.looseObject({ ...stdio, env: sentVariables }).check(isProgram),
		z.transform(({ type, command, args, env }) => ({ ...typed(type), command, args, ...(env === undefined ? {} : { env }) })),
	),
	z.pipe(
		z.looseObject({ ...remote, headers: sentHeaders }).check(isRemote),
		z.transform(({ type, url, headers: given }) => ({ type, url, ...(given === undefined ? {} : { headers: given }) })),
	),
]);
export type McpServerInput = z.infer<typeof mcpServerInput>;

/** What a person wants to have from now on; a server that is not named is gone. */
export const mcpServersBody = z.object({
	mcpServers: z
		.record(name, mcpServerInput)
		.check(z.refine((servers) => Object.keys(servers).length <= MAX_MCP_SERVERS, `At most ${MAX_MCP_SERVERS} servers can be kept.`)),
});

/** The person's own servers, without any secret, and where each is kept: those of config.json are changed there. */
export const mcpServersAnswer = z.object({
	mcpServers: z.record(z.string(), mcpServerInput),
	sources: z.record(z.string(), z.enum(["settings", "config.json"])),
});
/** The person's own servers, without any secret. */
export type McpServersAnswer = z.infer<typeof mcpServersAnswer>;

/** A server to try: one that is kept, by its name; or this one, whose values may stay those that are kept under that name. */
export const mcpTestBody = z.object({ name: z.optional(name), server: z.optional(mcpServerInput) });
/** What became of it. */
export const mcpTestAnswer = z.object({
	state: z.enum(["connected", "failed", "needs-auth"]),
	tools: z.array(z.string()),
	/** Why it failed, in words. */
	error: z.optional(z.string()),
});
/** What became of a server that was tried. */
export type McpTestAnswer = z.infer<typeof mcpTestAnswer>;

/** By name, with their secrets, as config.json holds them. */
export const mcpServersInFile = z
	.record(name, mcpServerSchema)
	.check(z.refine((servers) => Object.keys(servers).length <= MAX_MCP_SERVERS, `At most ${MAX_MCP_SERVERS} servers can be kept.`));
/** What the file holds. */
export const keptMcpServers = z.object({ mcpServers: z.record(name, mcpServerSchema) });

function isWebAddress(url: string): boolean {
	if (!URL.canParse(url)) return false;
	const { protocol, username, password } = new URL(url);
	return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}
