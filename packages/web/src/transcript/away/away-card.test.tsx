// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { type ConversationView, emptyView } from "../../conversation/conversation-view.ts";
import { NOW } from "../../testing/frames.ts";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { AwayCard } from "./away-card.tsx";

afterEach(cleanup);

const tool = (id: string, command: string, ended: { success: boolean; result?: string; error?: string }) => ({
	toolCallId: id,
	toolName: "Bash",
	arguments: { command },
	...ended,
});
const view: ConversationView = {
	...emptyView("c1"),
	messages: [
		{
			id: "a1",
			role: "assistant",
			content: "Done.",
			createdAt: new Date(NOW).toISOString(),
			metadata: {
				outcome: "completed",
				parts: [],
				tools: [
					tool("t1", "npm test", { success: false, error: "2 failed\n[exit code: 1]" }),
					{ toolCallId: "t2", toolName: "edit", arguments: { path: "src/a.ts", old_str: "a", new_str: "b" }, success: true },
				],
			},
		},
	],
};

test("[PG32] the card says in one line what happened, lists it on demand, leads there and goes away", () => {
	const page = createTestPage({ openId: "c1", state: { views: { c1: view }, away: { c1: { seq: 0, at: NOW - 3_600_000, until: NOW } } } });
	const shown: string[] = [];
	renderInPage(page, <AwayCard conversationId="c1" view={view} reveal={(key) => shown.push(key) > 0} />);
	const card = screen.getByRole("region", { name: "While you were away" });
	expect(card.textContent).toContain("1 answer finished · 1 file changed · 1 command (1 failed)");
	fireEvent.click(screen.getByRole("button", { name: "Details" }));
	expect(card.textContent).toContain("src/a.ts");
	expect(card.textContent).toContain("1 $ npm test");
	fireEvent.click(screen.getByRole("button", { name: "Show" }));
	expect(shown).toEqual(["a1"]);
	act(() => screen.getByRole("button", { name: "Dismiss" }).click());
	expect(screen.queryByRole("region")).toBeNull();
});

test("[PG1080] what happens after the return, before the reader's eyes, is not what happened while they were away", () => {
	const [answer] = view.messages;
	if (answer === undefined) throw new Error("no answer");
	const later = { ...answer, id: "a2", createdAt: new Date(NOW + 5_000).toISOString() };
	const grown: ConversationView = { ...view, messages: [answer, later] };
	const away = { c1: { seq: 0, at: NOW - 3_600_000, until: NOW + 1_000 } };
	const page = createTestPage({ openId: "c1", state: { views: { c1: grown }, away } });
	renderInPage(page, <AwayCard conversationId="c1" view={grown} reveal={() => true} />);
	expect(screen.getByRole("region", { name: "While you were away" }).textContent).toContain("1 answer finished · 1 file changed");
	cleanup();
	const seen: ConversationView = { ...view, messages: [later] };
	const quiet = createTestPage({ openId: "c1", state: { views: { c1: seen }, away } });
	renderInPage(quiet, <AwayCard conversationId="c1" view={seen} reveal={() => true} />);
	expect(screen.queryByRole("region")).toBeNull();
});

test("[PG721] what an agent over ACP did is counted like Copilot's: the diffs that it names, and commands in a shell of its own", () => {
	const [answer] = view.messages;
	if (answer?.role !== "assistant") throw new Error("no answer");
	const tools = [
		{
			...{ toolCallId: "t1", toolName: "edit", arguments: { path: "/w/a.txt", content: "words" }, success: true },
			diffs: [
				{ path: "/w/a.txt", newText: "words" },
				{ path: "/w/b.txt", oldText: "old", newText: "new" },
			],
		},
		{ toolCallId: "t2", toolName: "edit", arguments: {}, diffs: [{ path: "/w/refused.txt", newText: "no" }], success: false, error: "No." },
		{ ...tool("t3", "make", { success: false, error: "no rule" }), toolName: "execute", shell: "agent" as const },
		{ ...tool("t4", "ls", { success: true, result: "a.txt" }), toolName: "bash", shell: "agent" as const },
		{ toolCallId: "t5", toolName: "execute", title: "Run the tests", arguments: {}, shell: "agent" as const, success: true },
	];
	const seen: ConversationView = { ...view, messages: [{ ...answer, metadata: { ...answer.metadata, tools } }] };
	const page = createTestPage({ openId: "c1", state: { views: { c1: seen }, away: { c1: { seq: 0, at: NOW - 3_600_000, until: NOW } } } });
	renderInPage(page, <AwayCard conversationId="c1" view={seen} reveal={() => true} />);
	const card = screen.getByRole("region", { name: "While you were away" });
	expect(card.textContent).toContain("1 answer finished · 2 files changed · 3 commands (1 failed)");
	fireEvent.click(screen.getByRole("button", { name: "Details" }));
	expect(
		within(card)
			.getAllByRole("listitem")
			.map(({ textContent }) => textContent),
	).toEqual(["± /w/a.txt", "± /w/b.txt", "✗ $ make", "· $ ls", "· $ Run the tests"]);
});
