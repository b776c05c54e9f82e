import { expect, test } from "vitest";
import { conversationId } from "../../kernel/ids.ts";
import type { PermitRequest } from "../../ports/agent-runtime.ts";
import { createPermissionManager } from "../permission-manager.ts";
import { changesNothing } from "./changes-nothing.ts";

const bash = (detail: string): PermitRequest => ({ kind: "custom-tool", summary: `Run ${detail}`, toolName: "Bash", detail });

test("[MD10] in plan mode whatever may change something is asked for each time, in a conversation that allows everything too", async () => {
	const id = conversationId("c1");
	const asked: string[] = [];
	let mode = "plan";
	const manager = createPermissionManager({
		modeOf: () => "auto",
		isPlanning: () => mode === "plan",
		rules: { check: async () => ({ passes: true }), passFresh: async () => true, forget: () => undefined },
		isOwnUpload: async () => false,
		ask: async (_id, { summary }) => {
			asked.push(summary);
			return { kind: "approve-for-session" };
		},
	});
	const decide = (request: PermitRequest) => manager.decide(id, request, new AbortController().signal);
	expect(await decide(bash("touch x"))).toEqual({ kind: "approve-once" });
	await decide(bash("touch x"));
	await decide(bash("ls -la"));
	await decide({ kind: "read", summary: "Read a", detail: "a" });
	expect(asked).toEqual(["Run touch x", "Run touch x"]);
	mode = "autopilot";
	await decide(bash("touch x"));
	expect(asked).toHaveLength(2);
});

test("[MD11] a command changes nothing only if every part of it is a program that cannot, with its words known and no file written", () => {
	const reads = ["ls", "cat a b | grep x", "pwd && wc -l 'a b'", "echo hi; head -n 3 a"];
	const changes = [
		"touch x",
		"echo hi > f",
		"cat a >> b",
		"ls; rm x",
		"find . -delete",
		"sort -o a a",
		"PATH=. ls",
		"cat $(rm x)",
		"ls $X",
		"git status",
	];
	const odd = ["./ls", "/tmp/cat", "command rm x", "eval ls", "", "cat <<EOF\nx\nEOF"];
	expect(reads.filter((line) => !changesNothing(bash(line)))).toEqual([]);
	expect([...changes, ...odd].filter((line) => changesNothing(bash(line)))).toEqual([]);
	const others: PermitRequest[] = ["write", "shell", "mcp", "hook", "execute", "switch_mode", "other"].map((kind) => ({
		kind,
		summary: "x",
		detail: "ls",
	}));
	expect(others.filter(changesNothing)).toEqual([]);
	const tools = ["KillBash", "send_file", "BashOutput"].filter((toolName) =>
		changesNothing({ kind: "custom-tool", summary: "x", toolName, detail: "ls" }),
	);
	expect(tools).toEqual(["BashOutput"]);
});
