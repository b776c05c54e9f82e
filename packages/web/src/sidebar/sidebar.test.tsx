// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { Sidebar } from "./sidebar.tsx";
import { testConversation } from "./test-conversation.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	history.replaceState(null, "", "/");
});

const now = new Date().toISOString();

test("[PG80] the list is named, grouped, and says in words what each conversation does", () => {
	const page = createTestPage({
		openId: "b",
		conversations: [
			testConversation({ id: "a", title: "Asks", asking: true, updatedAt: now }),
			testConversation({ id: "b", title: "Open", updatedAt: new Date(Date.now() - 1000).toISOString() }),
			testConversation({ id: "c", title: "Old and pinned", pinned: true }),
			testConversation({ id: "d", title: "Put away", archived: true }),
		],
	});
	renderInPage(page, <Sidebar />);
	const items = within(screen.getByRole("list", { name: "Conversations" })).getAllByRole("listitem");
	expect(items.map((item) => within(item).getByRole("link").textContent)).toEqual(["Old and pinned", "Asks(asks you)", "Open"]);
	expect(screen.getAllByRole("heading").map((heading) => heading.textContent)).toEqual(["Pinned", "Today"]);
	expect(screen.getByRole("link", { name: "Open" }).getAttribute("aria-current")).toBe("page");
	expect(screen.getAllByRole("button", { name: /New conversation/ })).toHaveLength(1);
});

test("[PG80] choosing a conversation opens it, and a double click renames it in place", async () => {
	const requests: [string, unknown][] = [];
	vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
		requests.push([path, init.body]);
		return Response.json({ conversation: testConversation({ title: "Better name" }) });
	});
	const page = createTestPage({ conversations: [testConversation({ updatedAt: now })] });
	renderInPage(page, <Sidebar />);
	fireEvent.click(screen.getByRole("link", { name: "Fix the build" }));
	expect([page.store.getState().openId, location.pathname]).toEqual(["c1", "/c/c1"]);
	fireEvent.doubleClick(screen.getByRole("link", { name: "Fix the build" }));
	const box = screen.getByRole("textbox", { name: "Title" });
	fireEvent.change(box, { target: { value: "Better name" } });
	fireEvent.keyDown(box, { key: "Enter" });
	await waitFor(() => expect(screen.getByRole("link", { name: "Better name" })).toBeTruthy());
	expect(requests.at(-1)).toEqual(["/api/conversations/c1", '{"title":"Better name"}']);
});

test("[PG81] search finds messages everywhere and opens the conversation at the message", async () => {
	const result = { conversationId: "c9", messageId: "m4", title: "Deploy", snippet: "the build failed", createdAt: now };
	vi.stubGlobal("fetch", async () => Response.json({ results: [result] }));
	const page = createTestPage();
	renderInPage(page, <Sidebar />);
	fireEvent.change(screen.getByRole("searchbox", { name: "Search all messages" }), { target: { value: "build" } });
	const found = await screen.findByRole("link", { name: /Deploy/ });
	expect(found.querySelector("mark")?.textContent).toBe("build");
	fireEvent.click(found);
	expect(page.store.getState().reveal).toMatchObject({ conversationId: "c9", messageId: "m4" });
});
