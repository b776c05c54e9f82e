import type { PermissionRequest } from "@rightseat/protocol/model/ask";

/** What is asked, in the page's language, and whether the server's own summary says something that the detail does not. */
export interface PermissionTitle {
	words: "asksShell" | "asksRead" | "asksWrite" | "asksUrl" | "asksMemory" | "asksTool" | "asksOther";
	tool: string;
	withSummary: boolean;
}

export function permissionTitle(request: PermissionRequest): PermissionTitle {
	const tool = request.toolName ?? "";
	const bare = request.detail === undefined;
	switch (request.kind) {
		case "shell":
			return { words: "asksShell", tool, withSummary: bare };
		case "read":
			return { words: "asksRead", tool, withSummary: bare };
		case "url":
			return { words: "asksUrl", tool, withSummary: bare };
		case "memory":
			return { words: "asksMemory", tool, withSummary: bare };
		case "write":
			return { words: "asksWrite", tool, withSummary: true };
		case "custom-tool":
			if (tool.toLowerCase() === "bash") return { words: "asksShell", tool, withSummary: bare };
			return tool === "" ? { words: "asksOther", tool, withSummary: true } : { words: "asksTool", tool, withSummary: bare };
		case "mcp":
			return tool === "" ? { words: "asksOther", tool, withSummary: true } : { words: "asksTool", tool, withSummary: true };
		default:
			return { words: "asksOther", tool, withSummary: true };
	}
}
