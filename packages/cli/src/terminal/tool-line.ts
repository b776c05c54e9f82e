import { formatDuration } from "@rightseat/protocol/duration";
import { fieldOf } from "@rightseat/protocol/model/field";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import type { Paint } from "./colour.ts";
import { safeLine } from "./safe-text.ts";
import { fit } from "./width.ts";

/** What a call is about stands in one of these. */
const TELLING = ["command", "path", "file_path", "filePath", "pattern", "query", "url", "description", "prompt", "bash_id"];

/** A tool call folded to one line: how it stands, its name, what it is about, how long it took. */
export function toolLine(tool: ToolRecord, { paint, columns }: { paint: Paint; columns: number }): string {
	const mark = tool.success === undefined ? paint("…", "yellow") : tool.success ? paint("✓", "green") : paint("✗", "red");
	const time = tool.durationMs === undefined ? "" : `  ${formatDuration(tool.durationMs)}`;
	const about = tool.title ?? aboutOf(tool.arguments);
	const label = safeLine(about === "" ? tool.toolName : `${tool.toolName}  ${about}`);
	const problem = tool.success === false && tool.error !== undefined ? `  ${safeLine(tool.error)}` : "";
	return `${mark} ${fit(label + problem, Math.max(20, columns - time.length - 3))}${paint(time, "dim")}`;
}

/** The most telling argument, in one line. */
function aboutOf(args: unknown): string {
	for (const name of TELLING) {
		const value = fieldOf(args, name);
		if (typeof value === "string" && value !== "") return value.slice(0, 500);
	}
	return "";
}
