import type { ToolReport } from "./updates.ts";

/** The name that our MCP server is given to agents under. */
export const OUR_SERVER = "rightseat";

/**
 * Which of our tools a report is about. Agents spell it `rightseat_Bash`, `mcp__rightseat__Bash`, `rightseat-Bash`, `Bash (rightseat MCP Server)`,
 * or begin the call's id with it. Only a whole name counts: the title of a command is the model's own words, and may hold any of ours.
 */
export function ourToolOf(report: Pick<ToolReport, "name" | "title" | "toolCallId">, tools: readonly string[]): string | undefined {
	const named = [report.name, report.title].map((text) => NAME.exec(text ?? "") ?? TITLE.exec(text ?? ""));
	const found = [...named, ID.exec(report.toolCallId)].map((match) => match?.[1]);
	return tools.find((tool) => found.includes(tool));
}

const NAME = new RegExp(`^(?:Tool: ?)?(?:mcp[^A-Za-z0-9]{1,2})?${OUR_SERVER}[^A-Za-z0-9]{1,3}([A-Za-z0-9]+)$`);
const TITLE = new RegExp(`^([A-Za-z0-9]+) \\(${OUR_SERVER} MCP Server\\)$`);
const ID = new RegExp(`^(?:mcp__?)?${OUR_SERVER}[_-]{1,2}([A-Za-z0-9]+?)(?:__|-)`);
