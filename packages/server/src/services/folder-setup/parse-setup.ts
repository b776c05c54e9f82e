import type { FolderSetupItem } from "@rightseat/protocol/http/folders";
import type { McpServer } from "@rightseat/protocol/http/mcp-servers";
import { fieldOf } from "@rightseat/protocol/model/field";
import { commandLine, visibleName, visibleScript } from "./visible-text.ts";

/** An item without its place. */
export type Parsed = Pick<FolderSetupItem, "name" | "runs" | "env" | "problem">;

const MAX_ENV_NAMES = 20;
/** Lists and hooks within hooks; a file of nothing but brackets must not exhaust the stack. */
const MAX_HOOK_DEPTH = 8;
const MAX_FRONT_MATTER_CHARS = 8_192;

/** The servers below `key`, of a file of MCP or language servers. */
export function parseServers(text: string, key: "mcpServers" | "lspServers", fileName: string): Parsed[] {
	const value = parseJson(text);
	if (value === undefined) return [{ name: fileName, problem: "not-json" }];
	const servers = fieldOf(value, key);
	// Other tools keep other things in a file of this name; only this key is looked at.
	if (servers === undefined && key === "mcpServers" && fieldsOf(value) !== undefined) return [];
	return fieldsOf(servers)?.flatMap(([name, server]) => serverOf(visibleName(name), server)) ?? [unknownForm(fileName)];
}

/** A server of a file of MCP servers as it is started; its name is the file's own. */
export interface DefinedServer {
	name: string;
	server: McpServer | undefined;
}

/** The same servers as `parseServers` lists, as they are started, not checked yet; undefined when the file cannot be understood. */
export function defineServers(text: string): DefinedServer[] | undefined {
	const value = parseJson(text);
	const servers = fieldOf(value, "mcpServers");
	if (servers === undefined && fieldsOf(value) !== undefined) return [];
	return fieldsOf(servers)?.map(([name, server]) => ({ name, server: isUsable(name) ? definitionOf(server) : undefined }));
}

/** One that people cannot read, or that no request can carry as the name of a field, could not be switched off. */
const isUsable = (name: string) => visibleName(name) === name && name !== "__proto__";

/** One that is a program and an address at once is what its type says, else the program. */
function definitionOf(server: unknown): McpServer | undefined {
	const type = fieldOf(server, "type");
	const [url, env, headers] = [fieldOf(server, "url"), mapOf(fieldOf(server, "env")), mapOf(fieldOf(server, "headers"))];
	const words = wordsOf(fieldOf(server, "command"), fieldOf(server, "args"));
	const isRemote = words === undefined || (typeof type === "string" && !["stdio", "local"].includes(type));
	if (!isRemote) {
		const [command = "", ...args] = words;
		return env && { type: "stdio", command, args, env };
	}
	return typeof url === "string" ? headers && { type: type === "sse" ? "sse" : "http", url, headers } : undefined;
}

/** Texts by name, none where there is nothing; undefined for everything else. */
function mapOf(value: unknown): Record<string, string> | undefined {
	const fields = value === undefined ? [] : fieldsOf(value);
	const texts = textsOf(fields?.map(([, each]) => each));
	return texts && Object.fromEntries((fields ?? []).map(([name], index) => [name, texts[index] ?? ""]));
}

function serverOf(name: string, server: unknown): Parsed[] {
	const started = wordsOf(fieldOf(server, "command"), fieldOf(server, "args"));
	const url = fieldOf(server, "url");
	const env = envOf(server);
	const found: Parsed[] = [];
	if (started !== undefined) found.push({ name, runs: commandLine(started), ...env });
	if (typeof url === "string") found.push({ name, runs: visibleScript(url) });
	return found.length === 0 ? [unknownForm(name)] : found;
}

/** Hooks, in the form of Copilot and in that of Claude. `isSettings`: a file in which hooks are one thing of many. */
export function parseHooks(text: string, { fileName, isSettings }: { fileName: string; isSettings: boolean }): Parsed[] {
	const value = parseJson(text);
	if (value === undefined) return [{ name: fileName, problem: "not-json" }];
	const hooks = fieldOf(value, "hooks");
	if (hooks === undefined && isSettings && fieldsOf(value) !== undefined) return [];
	return fieldsOf(hooks)?.flatMap(([event, entries]) => hooksOf(visibleName(event), entries, MAX_HOOK_DEPTH)) ?? [unknownForm(fileName)];
}

function hooksOf(name: string, entry: unknown, depth: number): Parsed[] {
	if (depth < 0) return [unknownForm(name)];
	if (Array.isArray(entry)) return entry.flatMap((each) => hooksOf(name, each, depth - 1));
	if (typeof entry === "string") return [{ name, runs: visibleScript(entry) }];
	const inner = fieldOf(entry, "hooks");
	const found = linesOf(entry).map((runs): Parsed => ({ name, runs, ...envOf(entry) }));
	if (inner !== undefined) return [...found, ...hooksOf(name, inner, depth - 1)];
	return found.length === 0 ? [unknownForm(name)] : found;
}

/** Everything in a hook that may be started, whichever of it this system takes. */
function linesOf(hook: unknown): string[] {
	const [command, args] = [fieldOf(hook, "command"), fieldOf(hook, "args")];
	const words = Array.isArray(args) ? wordsOf(command, args) : undefined;
	const scripts = [fieldOf(hook, "bash"), words === undefined ? command : undefined, fieldOf(hook, "powershell"), fieldOf(hook, "url")];
	const lines = scripts.filter((each) => typeof each === "string").map(visibleScript);
	return [...new Set(words === undefined ? lines : [...lines, commandLine(words)])];
}

/** The name that a Markdown file gives itself between the lines of dashes at its top. */
export function frontMatterName(text: string): string | undefined {
	const [first = "", ...lines] = text.slice(0, MAX_FRONT_MATTER_CHARS).split("\n");
	const end = lines.findIndex((line) => line.trimEnd() === "---");
	if (first.trimEnd() !== "---" || end === -1) return undefined;
	const line = lines.slice(0, end).find((each) => each.startsWith("name:"));
	const name = line
		?.slice(5)
		.trim()
		.replace(/^(["'])(.*)\1$/, "$2");
	return name === undefined || name === "" ? undefined : visibleName(name);
}

/**
 * Whether an agent's file may name MCP servers of its own. A guess on the safe side: they stand in YAML, where the key can also be written with
 * escapes between quotes.
 */
export function mayNameServers(text: string): boolean {
	if (/mcp-?servers/i.test(text)) return true;
	return text.split("\n").some((line) => line.includes("\\") && /^[?{"!&-]/.test(line.trimStart()));
}

function wordsOf(command: unknown, args: unknown): string[] | undefined {
	const first = typeof command === "string" ? [command] : textsOf(command);
	const rest = args === undefined ? [] : textsOf(args);
	return first === undefined || first.length === 0 || rest === undefined ? undefined : [...first, ...rest];
}

/** Numbers and flags are what their text is when they are handed to a program. */
function textsOf(value: unknown): string[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const texts = value.flatMap((each) => (["string", "number", "boolean"].includes(typeof each) ? [String(each)] : []));
	return texts.length === value.length ? texts : undefined;
}

function envOf(value: unknown): Pick<Parsed, "env"> {
	const env = fieldOf(value, "env");
	const all = fieldsOf(env) ?? [];
	const names = all.slice(0, MAX_ENV_NAMES).map(([name]) => visibleName(name));
	// One of them may decide what runs: that there are more must not go unsaid.
	const more = all.length - names.length;
	return names.length === 0 ? {} : { env: more === 0 ? names : [...names, `… (+${more})`] };
}

function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
}

const unknownForm = (name: string): Parsed => ({ name, problem: "unknown-form" });

/** The fields of an object; undefined for everything else, a list included. */
function fieldsOf(value: unknown): [string, unknown][] | undefined {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}
