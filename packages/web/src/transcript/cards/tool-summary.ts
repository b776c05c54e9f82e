import { fieldOf } from "@rightseat/protocol/model/field";
/** What a tool call is about, in one line: its kind chooses the icon and the verb, `detail` is the path, command or pattern. */
export interface ToolSummary {
	kind: "shell" | "shell-output" | "shell-kill" | "read" | "edit" | "create" | "search" | "fetch" | "agent" | "ask" | "other";
	detail: string;
}

export function summarizeTool(toolName: string, input: unknown): ToolSummary {
	const value = (...names: string[]) => names.map((name) => field(input, name)).find((found) => found !== "") ?? "";
	switch (toolName.toLowerCase()) {
		case "bash":
		case "shell":
		case "powershell":
			return { kind: "shell", detail: value("command") };
		case "bashoutput":
		case "read_bash":
			return { kind: "shell-output", detail: value("bash_id", "shellId") };
		case "killbash":
		case "stop_bash":
			return { kind: "shell-kill", detail: value("bash_id", "shellId") };
		case "view":
		case "read":
		case "read_file":
			return { kind: "read", detail: value("path", "file_path") };
		case "create":
		case "write":
		case "write_file":
			return { kind: "create", detail: value("path", "file_path") };
		case "edit":
		case "str_replace":
		case "str_replace_editor":
		case "apply_patch":
			return { kind: "edit", detail: value("path", "file_path") };
		case "grep":
		case "rg":
		case "glob":
		case "search":
			return { kind: "search", detail: value("pattern", "query") };
		case "web_fetch":
		case "fetch":
			return { kind: "fetch", detail: value("url") };
		case "task":
			return { kind: "agent", detail: value("description", "prompt") };
		case "ask_user":
		case "askuserquestion":
			return { kind: "ask", detail: value("question") || field(firstOf(input, "questions"), "question") };
		default:
			return { kind: "other", detail: value("path", "command", "query", "url", "description", "name") };
	}
}

/** Some ask several at once. */
function firstOf(input: unknown, name: string): unknown {
	const list = fieldOf(input, name);
	return Array.isArray(list) ? list[0] : undefined;
}

function field(input: unknown, name: string): string {
	const value = fieldOf(input, name);
	return typeof value === "string" ? value : "";
}

/** Arguments for reading: one line per field, long text as it is. */
export function formatArguments(input: unknown): string {
	if (typeof input === "string") return input;
	if (typeof input !== "object" || input === null) return input === undefined ? "" : JSON.stringify(input);
	return Object.entries(input)
		.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value, null, 2)}`)
		.join("\n");
}
