// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { SettledNote } from "./settled-note.tsx";
import { ToolCard } from "./tool-card.tsx";

afterEach(cleanup);

const rule = { text: "git status", folder: "/shop", exact: false, writes: false };
const request = {
	...{ requestId: "p1", kind: "custom-tool", toolName: "Bash", summary: "Run git status -s", detail: "git status -s" },
	...{ expiresAt: new Date(Date.now() + 60_000).toISOString(), remember: [rule, { ...rule, text: "rm x", exact: true, writes: true }] },
};

test("[PG1060] what would not be asked about again is listed in words, and allowed for good with a button of its own", async () => {
	const page = createTestPage({ openId: "c1" });
	await act(async () => page.actions.openConversation("c1"));
	renderInPage(page, <PermissionCard conversationId="c1" request={request} />);
	page.sent.length = 0;
	const group = screen.getByRole("group", { name: "Permission request" });
	const list = await within(group).findByRole("list", { name: "Or do not ask again, in any conversation, about" });
	expect(
		within(list)
			.getAllByRole("listitem")
			.map((item) => item.textContent),
	).toEqual(["git status with any arguments, in /shop", "rm x exactly these words and output into its files, in /shop"]);
	const buttons = within(group)
		.getAllByRole("button")
		.map((button) => button.textContent);
	expect(buttons.at(-1)).toBe("Always allow here");
	fireEvent.click(within(group).getByRole("button", { name: "Always allow here" }));
	expect(page.sent).toEqual([
		{
			type: "copilot:permission_response",
			data: { conversationId: "c1", requestId: "p1", decision: "approve-once", remember: true },
		},
	]);
	cleanup();
	renderInPage(page, <PermissionCard conversationId="c1" request={{ ...request, truncated: 90_000 }} />);
	await act(async () => undefined);
	expect(screen.queryByRole("button", { name: "Always allow here" })).toBeNull();
});

test("[PG1062] a call that nobody was asked about says so, and by which rule", async () => {
	const tool = { toolCallId: "k1", toolName: "Bash", arguments: { command: "git status" }, success: true, allowedBy: [rule] };
	renderInPage(createTestPage(), <ToolCard conversationId="c1" messageId="a1" tool={tool} live={false} cwd="/shop" />);
	const said = await screen.findByText("Not asked about: git status (with any arguments, in /shop)");
	expect(said.parentElement?.textContent).toContain("always allowed");
});

test("[PG1062] what was allowed for good is noted as that", () => {
	const request = {
		requestId: "p1",
		kind: "permission" as const,
		text: "Run ls",
		outcome: "answered" as const,
		answer: "approve-always",
		afterParts: 0,
	};
	renderInPage(createTestPage(), <SettledNote request={request} />);
	expect(screen.getByText("Answered: always allowed here")).toBeTruthy();
});
