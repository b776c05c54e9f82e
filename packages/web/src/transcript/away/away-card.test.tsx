// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
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
	const page = createTestPage({ openId: "c1", state: { views: { c1: view }, away: { c1: { seq: 0, at: NOW - 3_600_000 } } } });
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
