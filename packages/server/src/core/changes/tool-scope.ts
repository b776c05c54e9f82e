import type { TurnEvent } from "../ports/agent-runtime.ts";

/** What a call of the agent's own tools may change: nothing, exactly these files, or anything. */
export type ToolScope = { kind: "nothing" } | { kind: "files"; paths: string[] } | { kind: "anything" };

/** Tools of Copilot's that change no file by themselves; what a sub-agent does is announced call by call. */
const READ_ONLY = new Set([
	...["view", "read", "read_file", "grep", "glob", "rg", "search", "ls", "list", "list_directory", "fetch", "web_fetch", "web_search"],
	...[
		"think",
		"report_intent",
		"ask_user",
		"update_todo",
		"todo_write",
		"task",
		"read_agent",
		"list_agents",
		"skill",
		"fetch_copilot_cli_documentation",
	],
]);
/** Tools that write the file which their arguments name. */
const EDITORS =
	/^(?:create|edit|write|insert|replace|delete|str_replace(?:_editor)?|multi_?edit|notebook_?edit|(?:write|edit|create|delete)_file)$/i;
const PATH_ARGUMENTS = ["path", "file_path", "filePath", "notebook_path"];

/** What this call may change, as far as its name and its arguments say. */
export function scopeOf({ toolName, arguments: args, reads, shell }: ToolStart): ToolScope {
	if (reads === true || (shell === undefined && READ_ONLY.has(toolName))) return { kind: "nothing" };
	const paths = EDITORS.test(toolName) ? pathsIn(args) : [];
	return paths.length === 0 ? { kind: "anything" } : { kind: "files", paths };
}
type ToolStart = Extract<TurnEvent, { kind: "tool-start" }>;

function pathsIn(args: unknown): string[] {
	if (typeof args !== "object" || args === null) return [];
	const given = new Map(Object.entries(args));
	return PATH_ARGUMENTS.flatMap((name) => {
		const value: unknown = given.get(name);
		return typeof value === "string" && value !== "" ? [value] : [];
	});
}
