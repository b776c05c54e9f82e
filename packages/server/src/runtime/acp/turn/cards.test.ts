import { expect, test } from "vitest";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { type CardInput, type Cards, findCardOf, MAX_CARDS, nextCards } from "./cards.ts";
import { readToolReport } from "./updates.ts";

function play(...inputs: CardInput[]) {
	let cards: Cards = new Map();
	const events: TurnEvent[] = [];
	for (const input of inputs) {
		const step = nextCards(cards, input, { ourTools: ["Bash"], nameInId: true });
		cards = step.cards;
		events.push(...step.events);
	}
	return { cards, events };
}
function report(fields: object): Extract<CardInput, { kind: "report" }> {
	const read = readToolReport({ toolCallId: "t", ...fields });
	if (read === undefined) throw new Error("no id");
	return { kind: "report", report: read };
}
const output = (text: string) => ({ content: [{ type: "content", content: { type: "text", text } }] });

test("[AC30] an announcement without its input is shown with the input, once; what is known later is told again", () => {
	const { events } = play(
		report({ title: "Terminal", kind: "execute", status: "pending", rawInput: {} }),
		report({ rawInput: { command: "ls" }, title: "ls" }),
		report({ status: "in_progress" }),
		report({ title: "ls -l", rawInput: { command: "ls -l" } }),
		report({ status: "completed", ...output("a file") }),
	);
	expect(events).toEqual([
		{ kind: "tool-start", toolCallId: "t", toolName: "execute", arguments: { command: "ls" }, title: "ls", shell: "agent" },
		{ kind: "tool-start", toolCallId: "t", toolName: "execute", arguments: { command: "ls -l" }, title: "ls -l", shell: "agent" },
		{ kind: "tool-end", toolCallId: "t", success: true, result: "a file" },
	]);
});

test("[AC31] output that an agent repeats is shown once; output that comes as deltas only is the result too", () => {
	const repeated = play(
		report({ title: "x", status: "in_progress", ...output("one\n") }),
		report({ status: "in_progress", ...output("one\ntwo\n") }),
		report({ status: "in_progress", ...output("one\ntwo\n") }),
		report({ status: "completed", ...output("one\ntwo\n") }),
	);
	expect(repeated.events.flatMap((event) => (event.kind === "tool-output" ? [event.content] : []))).toEqual(["one\n", "two\n"]);
	const deltas = play(
		report({ title: "x", status: "in_progress", _meta: { terminal_output_delta: { data: "one " } } }),
		report({ _meta: { terminal_output_delta: { data: "two" } } }),
		report({ status: "failed" }),
	);
	expect(deltas.events.slice(1)).toEqual([
		{ kind: "tool-output", toolCallId: "t", content: "one " },
		{ kind: "tool-output", toolCallId: "t", content: "two" },
		{ kind: "tool-end", toolCallId: "t", success: false, error: "one two" },
	]);
});

test("[AC31] what is kept and shown of an endless output is bounded", () => {
	const piece = "x".repeat(1_200_000);
	const { cards, events } = play(report({ status: "in_progress", _meta: { terminal_output_delta: { data: piece } } }));
	expect(cards.get("t")?.collected.length).toBe(65_536);
	expect(events.at(-1)).toMatchObject({ kind: "tool-output", content: "x".repeat(65_536) });
});

test("[AC32] a tool that was never announced is shown when it ends, with its name from its id; one that has ended stays so", () => {
	const { events } = play(
		report({ toolCallId: "run_shell_command__run_shell_command_17_0", status: "completed", ...output("a file") }),
		report({ toolCallId: "run_shell_command__run_shell_command_17_0", status: "in_progress" }),
		report({ toolCallId: "run_shell_command__run_shell_command_17_0", status: "failed" }),
	);
	expect(events).toEqual([
		{ kind: "tool-start", toolCallId: "run_shell_command__run_shell_command_17_0", toolName: "run_shell_command", arguments: {} },
		{ kind: "tool-end", toolCallId: "run_shell_command__run_shell_command_17_0", success: true, result: "a file" },
	]);
});

test("[AC33] a diff is shown for each file, and again only when it has changed", () => {
	const diff = (newText: string) => ({ content: [{ type: "diff", path: "/a", oldText: "old", newText }] });
	const { events } = play(
		report({ title: "Edit", kind: "edit", ...diff("new") }),
		report(diff("new")),
		report({ status: "completed", ...diff("newer") }),
	);
	expect(events.filter(({ kind }) => kind === "tool-diff")).toEqual([
		{ kind: "tool-diff", toolCallId: "t", path: "/a", oldText: "old", newText: "new" },
		{ kind: "tool-diff", toolCallId: "t", path: "/a", oldText: "old", newText: "newer" },
	]);
});

test.each([
	"rightseat_Bash",
	"mcp__rightseat__Bash",
	"mcp_rightseat_Bash",
	"rightseat-Bash",
	"Bash (rightseat MCP Server)",
	"rightseat/Bash",
])("[AC34] a call of our tools is known by whatever name an agent gives it: %s", (title) => {
	const { cards, events } = play(report({ title, kind: "execute", rawInput: { command: "ls" } }));
	expect(events).toEqual([{ kind: "tool-start", toolCallId: "t", toolName: "Bash", arguments: { command: "ls" } }]);
	expect(findCardOf(cards, { toolName: "Bash", input: { command: "ls" } })).toBe("t");
	expect(findCardOf(cards, { toolName: "BashOutput", input: {} })).toBeUndefined();
});

test.each(["echo rightseat Bash", "rightseat_Bash; rm -r .", "cat mcp__rightseat__Bash", "x (rightseat MCP Server) Bash"])(
	"[AC34] words of a command do not make it one of ours: %s",
	(title) => expect(play(report({ title, kind: "execute" })).cards.get("t")?.ours).toBeUndefined(),
);

test("[AC34] an id that begins with the name of our tool tells it", () => {
	const toolCallId = "mcp_rightseat_Bash__mcp_rightseat_Bash_17_0";
	expect(play(report({ toolCallId, title: "echo hello" })).cards.get(toolCallId)?.ours).toBe("Bash");
});

test("[AC34] calls of our tools find their cards by their input first and in order then, each card once", () => {
	const call = (toolCallId: string, command: string) => report({ toolCallId, title: "rightseat_Bash", rawInput: { command } });
	const { cards } = play(call("a", "one"), call("b", "two"), {
		kind: "called",
		toolCallId: "b",
		toolName: "Bash",
		input: { command: "two" },
	});
	expect(findCardOf(cards, { toolName: "Bash", input: { command: "one" } })).toBe("a");
	expect(findCardOf(cards, { toolName: "Bash", input: { command: "two" } })).toBe("a");
});

test("[AC35] our tool's own words are the result, and what the agent reports of the same call later changes nothing", () => {
	const { events } = play(
		report({ title: "rightseat_Bash", rawInput: { command: "ls" } }),
		{ kind: "called", toolCallId: "t", toolName: "Bash", input: { command: "ls" } },
		{ kind: "output", toolCallId: "t", text: "live" },
		report({ status: "in_progress", ...output("echo of live") }),
		{ kind: "returned", toolCallId: "t", ok: true, text: "own words" },
		report({ status: "completed", ...output("cut words") }),
	);
	expect(events.map(({ kind }) => kind)).toEqual(["tool-start", "tool-output", "tool-end"]);
	expect(events.at(-1)).toEqual({ kind: "tool-end", toolCallId: "t", success: true, result: "own words" });
});

test("[AC36] whatever is open when the turn ends is shown and ended with it", () => {
	const { events } = play(report({ title: "sleep", status: "in_progress" }), report({ toolCallId: "u", title: "hidden" }), {
		kind: "closed",
		error: "Stopped.",
	});
	expect(events.filter(({ kind }) => kind === "tool-end")).toEqual([
		{ kind: "tool-end", toolCallId: "t", success: false, error: "Stopped." },
		{ kind: "tool-end", toolCallId: "u", success: false, error: "Stopped." },
	]);
});

test("[AC37] a permission request fills in what is not known of a call, and changes nothing that is", () => {
	const asked = (fields: object): CardInput => ({ ...report(fields), isAsked: true });
	const { events } = play(
		report({ title: "write", kind: "edit", status: "pending", rawInput: {} }),
		asked({ title: "/project", kind: "other", rawInput: { parentDir: "/project" } }),
		report({ rawInput: { filePath: "/project/x" } }),
		asked({ title: "/project/x", rawInput: { diff: "…" } }),
	);
	expect(events).toEqual([
		{ kind: "tool-start", toolCallId: "t", toolName: "edit", arguments: { parentDir: "/project" }, title: "write" },
		{ kind: "tool-start", toolCallId: "t", toolName: "edit", arguments: { filePath: "/project/x" }, title: "write" },
	]);
});

test("[AC38] of a flood of calls a bounded number is shown, and each of those is ended", () => {
	const flood = Array.from({ length: 3 * MAX_CARDS }, (_, at) => report({ toolCallId: `t${at}`, title: "x", status: "in_progress" }));
	const { cards, events } = play(
		...flood,
		{ kind: "called", toolCallId: "one more", toolName: "Bash", input: {} },
		{ kind: "closed", error: "Stopped." },
	);
	expect(cards.size).toBe(MAX_CARDS);
	expect(events.filter(({ kind }) => kind === "tool-start")).toHaveLength(MAX_CARDS);
	expect(events.filter(({ kind }) => kind === "tool-end")).toHaveLength(MAX_CARDS);
});
