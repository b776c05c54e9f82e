// @vitest-environment happy-dom
import type { AssistantMessage } from "@rightseat/protocol/model/message";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyView } from "../../conversation/conversation-view.ts";
import { CONVERSATION, createScript, NOW, snapshot } from "../../testing/frames.ts";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { ConversationLog } from "./conversation-log.tsx";

beforeEach(() => localStorage.clear());
afterEach(cleanup);

async function open() {
	const page = createTestPage({ openId: CONVERSATION, state: { views: { [CONVERSATION]: emptyView(CONVERSATION) } } });
	await act(async () => page.actions.openConversation(CONVERSATION));
	const rendered = renderInPage(page, <ConversationLog conversationId={CONVERSATION} />);
	const receive: typeof page.receive = (...frames) => act(() => page.receive(...frames));
	receive(snapshot());
	page.sent.length = 0;
	return { ...page, ...rendered, receive, script: createScript() };
}

test("[PG33] the transcript is a log of articles that does not read streaming text aloud, but says when an answer has ended", async () => {
	const { receive, script, container } = await open();
	receive(script.user({ messageId: "u1", content: "Hello?" }), script.begin(), script.delta("m1", "Hello "), script.delta("m1", "**you**"));
	const log = screen.getByRole("log", { name: "Conversation" });
	expect(log.getAttribute("aria-live")).toBe("off");
	const articles = within(log).getAllByRole("article");
	expect(articles.map((article) => article.getAttribute("aria-label"))).toEqual(["You", "Assistant"]);
	expect(articles[1]?.querySelector("strong")?.textContent).toBe("you");
	receive(script.idle());
	expect(within(log).getAllByRole("article")).toHaveLength(2);
	expect(container.querySelector("[aria-live=polite]")?.textContent).toContain("Answer finished. Hello you");
});

test("[PG34] [PG337] a question is a group with a button per choice, a box for anything else and a clock; the answer goes out once", async () => {
	const { receive, script, sent } = await open();
	receive(script.user({ messageId: "u1" }), script.begin(), script.question("q1"));
	const group = screen.getByRole("group", { name: "Question" });
	expect(within(group).getByRole("timer").textContent).toMatch(/left$/);
	within(group).getByRole("button", { name: "B" }).focus();
	fireEvent.click(within(group).getByRole("button", { name: "B" }));
	fireEvent.change(within(group).getByRole("textbox", { name: "Answer" }), { target: { value: "neither" } });
	fireEvent.click(within(group).getByRole("button", { name: "Send answer" }));
	expect(sent).toEqual([
		{ type: "copilot:user_input_response", data: { conversationId: CONVERSATION, requestId: "q1", answer: "B", wasFreeform: false } },
		{ type: "copilot:user_input_response", data: { conversationId: CONVERSATION, requestId: "q1", answer: "neither", wasFreeform: true } },
	]);
	receive(script.answered("q1"));
	expect(screen.queryByRole("group", { name: "Question" })).toBeNull();
	expect(document.activeElement).toBe(screen.getByRole("log", { name: "Conversation" }));
	expect(screen.getByText("Answered on Telegram: A")).toBeTruthy();
});

test("[PG34] a permission request shows the whole command and takes a decision", async () => {
	const { receive, sent } = await open();
	const request = {
		requestId: "p1",
		kind: "shell",
		summary: "Run a command",
		detail: "rm -rf build",
		expiresAt: new Date(NOW + 60_000).toISOString(),
	};
	receive(snapshot({ seq: 3, permissions: [request] }));
	const group = screen.getByRole("group", { name: "Permission request" });
	expect(group.textContent).toContain("rm -rf build");
	fireEvent.click(within(group).getByRole("button", { name: "Reject" }));
	expect(sent).toEqual([
		{ type: "copilot:permission_response", data: { conversationId: CONVERSATION, requestId: "p1", decision: "reject" } },
	]);
});

const ATTACK = `ls ${"a".repeat(320)} #\u001b]\ntouch PWNED\n#\u0007 end\u202e`;
const SEEN = `ls ${"a".repeat(320)} #\\u{1b}]\ntouch PWNED\n#\\u{7} end\\u{202e}`;

test("[PG202] what is to be allowed stands above the buttons whole, whatever hides in it and however long it is", async () => {
	const { receive } = await open();
	const long = Array.from({ length: 400 }, (_, index) => `echo ${index}`).join("\n");
	const expiresAt = new Date(NOW + 60_000).toISOString();
	const detail = `${ATTACK}\n${long}\nrm -rf "$HOME"`;
	receive(
		snapshot({ seq: 3, permissions: [{ requestId: "p1", kind: "shell", summary: `Run ${ATTACK.slice(0, 300)}…`, detail, expiresAt }] }),
	);
	const group = screen.getByRole("group", { name: "Permission request" });
	expect(group.querySelector("pre")?.textContent).toBe(`${SEEN}\n${long}\nrm -rf "$HOME"`);
	expect(within(group).queryByRole("button", { name: /Show/ })).toBeNull();
	expect(group.textContent).toContain("3 characters that would not be seen");
	expect(group.textContent).toContain("404 lines, ");
	const buttons = within(group)
		.getAllByRole("button")
		.map((button) => [button.textContent, button.hasAttribute("disabled")]);
	expect(buttons).toEqual([
		["Allow once", false],
		["Allow exactly this in this conversation", false],
		["Reject", false],
	]);
});

test("[PG203] a settled request is named with nothing hidden in it, and its decision in words", async () => {
	const { receive, script } = await open();
	const expiresAt = new Date(NOW + 60_000).toISOString();
	const asks = [
		{ requestId: "p1", kind: "permission" as const, text: "Run a\u202eb", outcome: "answered" as const, answer: "reject", afterParts: 0 },
	];
	receive(script.user({ messageId: "u1" }), script.begin());
	const turn = { messageId: "t1", userMessageId: "u1", startedAt: expiresAt, parts: [], tools: [], asks };
	receive(snapshot({ seq: 9, turn }));
	expect(screen.getByRole("log").textContent).toContain("Run a\\u{202e}b Answered: rejected");
});

test("[PG201] a summary that is shortened says how much is missing, and shows line breaks", async () => {
	const { receive } = await open();
	const expiresAt = new Date(NOW + 60_000).toISOString();
	const summary = `Write a\nb\u202e${"x".repeat(400)}`;
	receive(snapshot({ seq: 3, permissions: [{ requestId: "p1", kind: "write", summary, detail: "+hello\u200b", expiresAt }] }));
	const words = screen.getByRole("group", { name: "Permission request" }).textContent;
	expect(words).toContain("Write a⏎ b\\u{202e}xxx");
	expect(words).toContain("… 110 more characters");
	expect(words).toContain("+hello\\u{200b}");
});

test("[PG203] what ran is shown in the history as it ran: commands, arguments, paths and diffs", async () => {
	const { receive } = await open();
	const tool = { toolCallId: "t1", toolName: "Bash", arguments: { command: ATTACK }, success: true };
	const other = { toolCallId: "t2", toolName: "deploy", arguments: { name: "x", note: "a\u200bb" }, success: true };
	const edit = {
		toolCallId: "t3",
		toolName: "edit",
		arguments: { path: "a\u202e.ts", old_str: "one", new_str: "tw\u0007o" },
		success: true,
	};
	const parts = [tool, other, edit].map(({ toolCallId }) => ({ kind: "tool" as const, toolCallId }));
	const stored = ended("completed");
	const bash = { origin: "web" as const, bash: true, command: "ls \u202ex", exitCode: 0, cwd: "/w" };
	const command = {
		id: "u2",
		role: "user" as const,
		content: "$ ls \u202ex\nok\n[exit code: 0]",
		metadata: bash,
		createdAt: stored.createdAt,
	};
	receive(
		snapshot({
			seq: 3,
			messages: [command, { ...stored, metadata: { ...stored.metadata, inReplyTo: "u2", tools: [tool, other, edit], parts } }],
		}),
	);
	const log = screen.getByRole("log");
	for (const details of log.querySelectorAll("details")) {
		details.open = true;
		fireEvent(details, new Event("toggle"));
	}
	const words = log.textContent ?? "";
	for (const shown of [SEEN, "note: a\\u{200b}b", "a\\u{202e}.ts", "+ tw\\u{7}o", "$ ls \\u{202e}x"]) expect(words).toContain(shown);
	expect(words).not.toMatch(/[\u001b\u202e\u200b\u0007]/);
});

function ended(outcome: AssistantMessage["metadata"]["outcome"]): AssistantMessage {
	const error = outcome === "error" ? { error: { code: "provider-error", message: "The key was refused. Check it in the settings." } } : {};
	return {
		id: "a1",
		role: "assistant",
		content: "half an ans",
		createdAt: new Date(NOW).toISOString(),
		metadata: { outcome, tools: [], parts: [], inReplyTo: "u1", ...error },
	};
}
const asked = { id: "u1", role: "user", content: "Do it", metadata: { origin: "web" }, createdAt: new Date(NOW).toISOString() } as const;

test.each([
	["aborted", "Stopped", ["Continue"]],
	["interrupted", "Interrupted", ["Retry", "Continue"]],
	["error", "This turn failed", ["Retry"]],
] as const)("[PG36] a turn that ended %s says so, keeps its text and offers what helps", async (outcome, words, buttons) => {
	const { receive } = await open();
	receive(snapshot({ seq: 2, messages: [asked, ended(outcome)] }));
	const article = screen.getByRole("article", { name: "Assistant" });
	expect(within(article).getByText(words)).toBeTruthy();
	expect(article.textContent).toContain("half an ans");
	for (const name of buttons) expect(within(article).getByRole("button", { name })).toBeTruthy();
});

test("[PG36] Retry sends the same prompt again", async () => {
	const { receive, sent } = await open();
	receive(snapshot({ seq: 2, messages: [asked, ended("error")] }));
	await act(async () => fireEvent.click(screen.getByRole("button", { name: "Retry" })));
	expect(sent.filter(({ type }) => type !== "presence:set")).toMatchObject([{ type: "copilot:send", data: { prompt: "Do it" } }]);
});

test("[PG37] a tool card tells what runs, with which arguments, its live output, and how it ended", async () => {
	const { receive, script } = await open();
	receive(script.user({ messageId: "u1" }), script.begin(), script.toolStart("t1"), script.toolOutput("t1", "compiling…\n"));
	const card = screen.getByText("Run").closest("details");
	expect(card?.textContent).toContain("ls");
	// A folded card hides what is inside it.
	expect(screen.getByText("compiling…").closest("details")).toBeNull();
	expect(within(card ?? document.body).getByRole("img", { name: "Running" })).toBeTruthy();
	receive(script.toolEnd("t1", false));
	expect(within(card ?? document.body).getByRole("img", { name: "Failed" })).toBeTruthy();
});

test("[PG38] a command's card has its prompt line, exit badge and what becomes of its output", async () => {
	const { receive, script, sent } = await open();
	const metadata = { origin: "web", bash: true, command: "ls /x", exitCode: 2, cwd: "/home/me/project", context: "pending" } as const;
	receive(script.bashStart("x1"), script.bashOutput("x1", "working\n"));
	fireEvent.click(screen.getByRole("button", { name: "Stop" }));
	receive(
		snapshot({
			seq: 9,
			messages: [{ ...asked, id: "b1", content: "$ ls /x\nno such file\n[exit code: 2]", metadata }],
			context: [{ messageId: "b1", command: "ls /x", exitCode: 2, chars: 5_000 }],
		}),
	);
	const card = screen.getByRole("article", { name: "Command" });
	expect(card.textContent).toContain("…/me/project $ ls /x");
	expect(within(card).getByText("exit 2")).toBeTruthy();
	fireEvent.click(within(card).getByRole("button", { name: "Leave out" }));
	fireEvent.click(within(card).getByRole("button", { name: "Shorten to 1,000 characters" }));
	await act(async () => fireEvent.click(within(card).getByRole("button", { name: "Run again" })));
	expect(sent).toMatchObject([
		{ type: "bash:kill", data: { execId: "x1" } },
		{ type: "bash:context_drop", data: { messageId: "b1" } },
		{ type: "bash:context_trim", data: { messageId: "b1", maxChars: 1_000 } },
		{ type: "bash:exec", data: { command: "ls /x", conversationId: CONVERSATION } },
	]);
});

test("[PG14] a prompt is shown as sending, then sent, then as the stored message, and never twice", async () => {
	const { actions, receive, script } = await open();
	await act(async () => void (await actions.sendPrompt({ conversationId: CONVERSATION, prompt: "Only once" })));
	expect(screen.getByText("Sending…")).toBeTruthy();
	receive({ type: "copilot:ack", data: { conversationId: CONVERSATION, clientMessageId: "id-1", messageId: "u1" } });
	expect(screen.getByText("Sent")).toBeTruthy();
	receive(script.user({ messageId: "u1", content: "Only once" }));
	expect(screen.getAllByText("Only once")).toHaveLength(1);
	expect(screen.queryByText("Sent")).toBeNull();
});

test("[PG357] a prompt that waits for the connection says so, and is being sent when it is back", async () => {
	const { actions, store } = await open();
	act(() => store.setState({ connection: { kind: "waiting", since: 0, retryAt: 1 } }));
	await act(async () => void (await actions.sendPrompt({ conversationId: CONVERSATION, prompt: "Later" })));
	expect([screen.queryByText("Waits on this device")?.isConnected, screen.queryByText("Sending…")]).toEqual([true, null]);
	act(() => store.setState({ connection: { kind: "open", since: 2 } }));
	expect([screen.queryByText("Waits on this device"), screen.queryByText("Sending…")?.isConnected]).toEqual([null, true]);
});

test("[PG39] Stop always names its conversation", async () => {
	const { actions, sent } = await open();
	actions.abort(CONVERSATION);
	expect(sent).toEqual([{ type: "copilot:abort", data: { conversationId: CONVERSATION } }]);
});

test("[PG124] a prompt of files alone that waits on the device says how many, without an empty bubble", async () => {
	const { actions, container } = await open();
	await act(() => actions.sendPrompt({ conversationId: CONVERSATION, prompt: "", attachments: ["a1", "a2"] }));
	expect(within(screen.getByRole("article", { name: "You" })).getByText("2 files")).toBeTruthy();
	expect(container.querySelector(".bubble")).toBeNull();
});
