// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { NewConversationDialog } from "../../sidebar/new-conversation-dialog.tsx";
import { testConversation } from "../../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { Toaster } from "../../ui/toaster.tsx";
import { WorktreesDialog } from "./worktrees-dialog.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** A server that remembers what was posted. */
function serve(answers: Record<string, object>) {
	const posted: { path: string; body: unknown }[] = [];
	vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit = {}) => {
		if (method === "POST") posted.push({ path, body: JSON.parse(String(body)) });
		return Promise.resolve(Response.json(answers[path.split("?")[0] ?? ""] ?? {}));
	});
	return posted;
}
const TREE = {
	path: "/home/me/.rightseat/worktrees/app-1",
	conversationId: "c1",
	branch: "rs/tidy",
	repository: "/home/me/app",
	createdAt: "2026-11-17T02:00:00.000Z",
	state: "there",
	keep: ["uncommitted", "ignored-files"],
	bytes: 5_200_000,
};

test("[PG560] a new conversation may get a work tree of its own, with branch and set-up command", async () => {
	const posted = serve({
		"/api/conversations": { conversation: testConversation({}) },
		"/api/directories": { path: "/home/me/app", directories: [], roots: [], recent: [] },
		"/api/agents": { agents: [], default: "copilot" },
		"/api/copilot/models": { models: [], default: "" },
	});
	renderInPage(createTestPage(), <NewConversationDialog />);
	fireEvent.click(screen.getByRole("checkbox", { name: /In a git work tree of its own/ }));
	fireEvent.change(screen.getByRole("textbox", { name: /^Branch/ }), { target: { value: "tidy" } });
	fireEvent.change(screen.getByRole("textbox", { name: /^Command/ }), { target: { value: "npm ci" } });
	fireEvent.click(screen.getByRole("button", { name: "Start" }));
	await waitFor(() => expect(posted).toEqual([{ path: "/api/conversations", body: { worktree: { branch: "tidy", setup: "npm ci" } } }]));
});

test("[PG561] the list says what would be lost with a work tree, and removes one only after that", async () => {
	const posted = serve({
		"/api/worktrees": { worktrees: [TREE] },
		"/api/worktrees/remove": { worktree: { path: "/trash", kept: false, rescued: "rs/rescue-1" } },
	});
	renderInPage(
		createTestPage({ conversations: [testConversation({ title: "Tidy up" })] }),
		<>
			<WorktreesDialog />
			<Toaster />
		</>,
	);
	const row = within(await screen.findByRole("listitem"));
	expect(row.getByText("rs/tidy")).toBeTruthy();
	expect(row.getByText("6 MB")).toBeTruthy();
	fireEvent.click(row.getByRole("button", { name: "Remove…" }));
	expect(posted).toEqual([]);
	row.getByText("Reasons to keep it: changes that are not committed · ignored files, such as .env");
	fireEvent.click(row.getByRole("button", { name: "Remove all the same" }));
	await screen.findByText(/Commits that nothing else named are on the branch rs\/rescue-1/);
	expect(posted).toEqual([{ path: "/api/worktrees/remove", body: { path: TREE.path, force: true } }]);
});
