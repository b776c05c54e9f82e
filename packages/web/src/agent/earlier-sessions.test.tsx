// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { NewConversationDialog } from "../sidebar/new-conversation-dialog.tsx";
import { testConversation } from "../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { TEST_AGENTS } from "./test-agents.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	history.replaceState(null, "", "/");
});

const pages: Record<string, object> = {
	"/api/agents/opencode/sessions": {
		sessions: [{ sessionId: "s-1", title: "Mend the clock", cwd: "/home/me/shop" }],
		nextCursor: "next",
	},
	"/api/agents/copilot/sessions": {
		sessions: [{ sessionId: "s-3", title: "Oil the door", cwd: "/home/me/shop", updatedAt: "2020-01-02T03:04:05.000Z", isHeld: true }],
		unusable: [
			{ sessionId: "s-4", title: "Far away", cwd: "/elsewhere", problem: "outside" },
			{ sessionId: "s-5", title: "", cwd: "", problem: "of a newer server" },
		],
	},
	"/api/agents/opencode/sessions?cursor=next": { sessions: [{ sessionId: "s-2", title: "", cwd: "/home/me/other" }] },
};

function open(agent = "opencode") {
	const asked: string[] = [];
	vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
		asked.push(`${init.method ?? "GET"} ${path} ${init.body ?? ""}`.trim());
		if (path === "/api/conversations")
			return Response.json({ conversation: testConversation({ id: "c9", agent: "opencode" }) }, { status: 201 });
		if (path.startsWith("/api/directories")) return Response.json({ path: "/home/me", directories: [], recent: [] });
		return Response.json(pages[path] ?? { models: [], default: "", state: "listed" });
	});
	const page = createTestPage({ state: { agents: { agents: TEST_AGENTS, default: agent } } });
	renderInPage(page, <NewConversationDialog />);
	return { asked, page };
}

test("[PG461] sessions of the agent are asked for when somebody opens their list, and one of them is continued", async () => {
	const { asked } = open();
	const list = screen.getByText("Continue a session of this agent").closest("details");
	expect(asked.some((one) => one.includes("/sessions"))).toBe(false);
	if (list === null) throw new Error("no list");
	list.open = true;
	fireEvent(list, new Event("toggle"));
	await screen.findByText("Mend the clock");
	fireEvent.click(screen.getByRole("button", { name: "Show more" }));
	await screen.findByText("Without a title");
	const [, second] = screen.getAllByRole("button", { name: "Continue" });
	if (second === undefined) throw new Error("no button");
	fireEvent.click(second);
	await waitFor(() => expect(asked).toContain('POST /api/conversations {"agent":"opencode","sessionId":"s-2"}'));
});

test("[PG1071] sessions of the Copilot CLI say when they were used and who has them open, and those that cannot be continued why", async () => {
	open("copilot");
	const list = screen.getByText("Continue a session of the Copilot CLI").closest("details");
	if (list === null) throw new Error("no list");
	list.open = true;
	fireEvent(list, new Event("toggle"));
	await screen.findByText("Oil the door");
	expect(screen.getByText(/2020.* · Open in another program/)).toBeDefined();
	expect(screen.getByText("Works in a folder that is closed to conversations.")).toBeDefined();
	expect([screen.getByText("s-5"), screen.getByText("Cannot be read.")]).toHaveLength(2);
	expect(screen.getAllByRole("button", { name: "Continue" })).toHaveLength(1);
});
