import type { PermissionRequest } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import { toPermitRequest, toSdkDecision } from "./permissions.ts";

const write: PermissionRequest = {
	kind: "write",
	fileName: "a.ts",
	diff: "+1",
	intention: "",
	canOfferSessionApproval: true,
	toolCallId: "t",
};
const bash: PermissionRequest = { kind: "custom-tool", toolName: "Bash", toolDescription: "", args: { command: "rm -r x" } };

test("[RT58] a permission request says in one line what would be done, with the whole of it as detail", () => {
	expect(toPermitRequest(write)).toEqual({ kind: "write", paths: ["a.ts"], summary: "Write a.ts", toolCallId: "t", detail: "+1" });
	const run = { kind: "custom-tool", summary: "Run rm -r x", toolName: "Bash", detail: "rm -r x" };
	expect(toPermitRequest(bash)).toEqual({ ...run, command: "rm -r x" });
	expect(toPermitRequest({ ...bash, toolName: "Other" })).toEqual({ ...run, toolName: "Other" });
	expect(toPermitRequest({ kind: "url", url: "https://example.com", intention: "" })).toMatchObject({
		summary: "Open https://example.com",
	});
	const command = "x".repeat(100_000);
	expect(toPermitRequest({ ...bash, args: { command } }).detail).toBe(command);
	expect(toPermitRequest({ kind: "hook", toolName: "edit", toolArgs: { path: "a" }, hookMessage: "Careful" })).toMatchObject({
		summary: "Careful",
		detail: '{\n  "path": "a"\n}',
	});
});

test("[QA126] the detail of a plain read is its path alone; one that leaves the sandbox, or that a policy watches, says so", () => {
	const read = (more: object): string | undefined => toPermitRequest({ kind: "read", path: "/a b", intention: "", ...more }).detail;
	expect(read({})).toBe("/a b");
	expect(read({ requestSandboxBypass: true, requestSandboxBypassReason: "blocked" })).toBe("/a b\nOutside of the sandbox: blocked");
	expect(read({ managedApprovalRequired: true })).toBe("/a b\nA policy wants a person to decide.");
});

test("[RT59] decisions become what the runtime understands today: approve-once, approve-for-session, reject with feedback", () => {
	expect(toSdkDecision(bash, { kind: "approve-once" })).toEqual({ kind: "approve-once" });
	expect(toSdkDecision(bash, { kind: "approve-for-session" })).toEqual({
		kind: "approve-for-session",
		approval: { kind: "custom-tool", toolName: "Bash" },
	});
	expect(toSdkDecision(write, { kind: "approve-for-session" })).toEqual({ kind: "approve-for-session", approval: { kind: "write" } });
	expect(toSdkDecision(write, { kind: "reject", feedback: "No." })).toEqual({ kind: "reject", feedback: "No." });
	expect(toSdkDecision(write, { kind: "reject", feedback: " " })).toEqual({
		kind: "reject",
		feedback: "The user did not allow this. Ask what to do instead.",
	});
});

test("[MS27] a tool of an MCP server is named as it is called, with its server", () => {
	const request: PermissionRequest = {
		...{ kind: "mcp", serverName: "files", toolName: "files-remove", toolTitle: "Only looks", args: { path: "a" }, readOnly: false },
	};
	expect(toPermitRequest(request)).toMatchObject({ summary: "Use remove of the MCP server files", toolName: "files-remove" });
});

test("[RT113] a tool of an MCP server that is approved for the session is named as the runtime remembers it: without its server", () => {
	const request = (serverName: string, toolName: string): PermissionRequest => ({
		kind: "mcp",
		serverName,
		toolName,
		toolTitle: "",
		args: {},
		readOnly: false,
	});
	const approval = (serverName: string, toolName: string) => toSdkDecision(request(serverName, toolName), { kind: "approve-for-session" });
	expect(approval("files", "files-write")).toMatchObject({ approval: { kind: "mcp", serverName: "files", toolName: "write" } });
	expect(approval("odd name.1", "odd-name-1-echo")).toMatchObject({ approval: { serverName: "odd name.1", toolName: "echo" } });
	expect(approval("files", "bare")).toMatchObject({ approval: { toolName: "bare" } });
});
