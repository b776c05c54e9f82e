import type { PermissionRequest, PermissionRequestResult } from "@github/copilot-sdk";
import type { PermitDecision, PermitRequest } from "../../../core/ports/agent-runtime.ts";

/** The tool that runs commands in the conversation's shell. */
const OUR_SHELL = "Bash";

/** What the agent wants to do, in words; nothing is cut here, so that what is shown and what is remembered is what runs. */
export function toPermitRequest(request: PermissionRequest): PermitRequest {
	const call = request.toolCallId === undefined ? {} : { toolCallId: request.toolCallId };
	const describe = (
		summary: string,
		more: { toolName?: string; detail?: string; paths?: string[]; command?: string } = {},
	): PermitRequest => ({
		kind: request.kind,
		summary: summary.toWellFormed(),
		...call,
		...(more.toolName === undefined ? {} : { toolName: more.toolName }),
		...(more.detail === undefined ? {} : { detail: more.detail.toWellFormed() }),
		...(more.paths === undefined ? {} : { paths: more.paths }),
		...(more.command === undefined ? {} : { command: more.command }),
	});
	switch (request.kind) {
		case "shell":
			return describe(`Run ${request.fullCommandText}`, { detail: request.fullCommandText });
		case "write":
			return describe(`Write ${request.fileName}`, {
				detail: request.diff || (request.newFileContents ?? ""),
				paths: [request.fileName],
			});
		case "read":
			return describe(`Read ${request.path}`, { detail: readDetail(request) });
		case "url":
			return describe(`Open ${request.url}`, { detail: request.url });
		case "mcp":
			// Its title is what the server likes to be called, not what is called.
			return describe(`Use ${bareToolName(request)} of the MCP server ${request.serverName}`, {
				toolName: request.toolName,
				detail: JSON.stringify(request.args, null, 2),
			});
		case "custom-tool": {
			const command = commandOf(request.args);
			return describe(command === undefined ? `Use ${request.toolName}` : `Run ${command}`, {
				toolName: request.toolName,
				detail: command ?? JSON.stringify(request.args, null, 2),
				...(command === undefined || request.toolName !== OUR_SHELL ? {} : { command }),
			});
		}
		case "memory":
			return describe(`Remember: ${request.fact}`, { detail: request.fact });
		case "hook":
			return describe(request.hookMessage ?? `Use ${request.toolName}`, {
				toolName: request.toolName,
				...(request.toolArgs === undefined ? {} : { detail: JSON.stringify(request.toolArgs, null, 2) }),
			});
		default:
			return describe(`Allow ${request.kind}`, { detail: JSON.stringify(request, null, 2) });
	}
}

/** The path and nothing else, unless more is asked for than to read it: such a request is never taken for a plain one. */
function readDetail({ path, managedApprovalRequired, requestSandboxBypass, requestSandboxBypassReason }: ReadRequest): string {
	if (requestSandboxBypass === true) return `${path}\nOutside of the sandbox: ${requestSandboxBypassReason ?? "no reason given"}`;
	return managedApprovalRequired === true ? `${path}\nA policy wants a person to decide.` : path;
}
type ReadRequest = Extract<PermissionRequest, { kind: "read" }>;

export function toSdkDecision(request: PermissionRequest, decision: PermitDecision): PermissionRequestResult {
	switch (decision.kind) {
		case "approve-once":
			return { kind: "approve-once" };
		case "approve-for-session":
			return approveForSession(request);
		case "reject":
			// Without feedback the runtime ends the turn silently.
			return { kind: "reject", feedback: decision.feedback.trim() || "The user did not allow this. Ask what to do instead." };
	}
}

function approveForSession(request: PermissionRequest): PermissionRequestResult {
	switch (request.kind) {
		case "shell":
			return {
				kind: "approve-for-session",
				approval: { kind: "commands", commandIdentifiers: request.commands.map(({ identifier }) => identifier) },
			};
		case "read":
		case "write":
			return { kind: "approve-for-session", approval: { kind: request.kind } };
		case "mcp":
			return { kind: "approve-for-session", approval: { kind: "mcp", serverName: request.serverName, toolName: bareToolName(request) } };
		case "custom-tool":
			return { kind: "approve-for-session", approval: { kind: "custom-tool", toolName: request.toolName } };
		default:
			return { kind: "approve-once" };
	}
}

/** The request names the tool as the model knows it, with its server before it; the runtime remembers it without. */
function bareToolName({ serverName, toolName }: { serverName: string; toolName: string }): string {
	const prefix = `${serverName.replace(/[^A-Za-z0-9_-]/g, "-")}-`;
	return toolName.startsWith(prefix) ? toolName.slice(prefix.length) : toolName;
}

function commandOf(args: unknown): string | undefined {
	if (typeof args !== "object" || args === null || !("command" in args)) return undefined;
	return typeof args.command === "string" ? args.command : undefined;
}
