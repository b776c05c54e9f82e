import type { ToolReport } from "./updates.ts";

/** The name that our MCP server is given to agents under. */
export const OUR_SERVER = "rightseat";

/**
 * Which of our tools a report is about. Agents spell it `rightseat_Bash`, `mcp__rightseat__Bash`, `rightseat-Bash`, `Bash (rightseat MCP
 * Server)`; what names both the server and the tool is ours.
 */
export function ourToolOf(report: Pick<ToolReport, "name" | "title" | "toolCallId">, tools: readonly string[]): string | undefined {
	const spelled = [report.name, report.title, report.toolCallId].filter((text) => text?.includes(OUR_SERVER));
	const words = spelled.flatMap((text) => text?.split(/[^A-Za-z0-9]+/) ?? []);
	return tools.find((tool) => words.includes(tool));
}
