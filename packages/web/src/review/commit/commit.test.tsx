// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openReview, testChange, testFile, testHunk } from "../../testing/review-server.tsx";
import { plain } from "./use-proposal.ts";

afterEach(() => {
	cleanup();
	localStorage.clear();
	vi.unstubAllGlobals();
});

const FILES = [
	{ path: "a.ts", status: "modified" as const, binary: false, added: 2, removed: 2, sha256: "1".repeat(64) },
	{ path: "b.ts", status: "added" as const, binary: false, added: 3, removed: 0, sha256: "2".repeat(64) },
];
const second = { ...testHunk("p", "q"), id: "h2", newStart: 40, oldStart: 40 };
const inRepository = () =>
	openReview({
		changes: [testChange("t1")],
		git: FILES,
		hunks: { "a.ts": { file: testFile("a.ts"), hunks: [testHunk("x", "y"), second] } },
		commit: [{ output: "lint: ok\n" }, { commit: "0123456789abcdef" }],
	});
async function openCommit() {
	fireEvent.click(await screen.findByRole("button", { name: "Commit…" }));
	return within(await screen.findByRole("dialog", { name: "Commit" }));
}

test("[PG550] in a repository the panel begins with what is not committed, and offers the branch", async () => {
	inRepository();
	await screen.findByRole("treeitem", { name: /b\.ts/ });
	expect(
		within(screen.getByRole("group", { name: "What to show" }))
			.getAllByRole("button")
			.map(({ textContent }) => textContent),
	).toEqual(["This turn", "Conversation", "Branch", "Not committed"]);
	expect(screen.queryByRole("button", { name: "Undo…" })).toBeNull();
});

test("[PG551] a commit takes the chosen files and hunks, exactly as they were seen", async () => {
	const { server } = inRepository();
	const dialog = await openCommit();
	fireEvent.click(dialog.getByRole("checkbox", { name: "Take b.ts" }));
	fireEvent.click(dialog.getByRole("button", { name: "Choose lines" }));
	fireEvent.click(await dialog.findByRole("checkbox", { name: /Lines 40–42/ }));
	fireEvent.change(dialog.getByRole("textbox", { name: "Message" }), { target: { value: "fix: y " } });
	fireEvent.click(dialog.getByRole("button", { name: "Commit 1 file" }));
	await screen.findByText("Committed as 01234567");
	expect(server.posted).toEqual([
		{ path: "/commit", body: { message: "fix: y", paths: ["a.ts"], hunks: { "a.ts": ["h1"] }, seen: { "a.ts": "1".repeat(64) } } },
	]);
});

test("[PG552] what a hook says is shown, and a commit that fails keeps the message and says why", async () => {
	const { server } = inRepository();
	server.commit = [{ output: "lint: 2 errors\n" }, { error: { code: "hook-refused", message: "A hook refused the commit." } }];
	const dialog = await openCommit();
	fireEvent.change(dialog.getByRole("textbox", { name: "Message" }), { target: { value: "fix: y" } });
	fireEvent.click(dialog.getByRole("button", { name: "Commit 2 files" }));
	await dialog.findByText("A hook refused the commit.");
	expect(dialog.getByRole("log", { name: "What hooks and signing say" }).textContent).toBe("lint: 2 errors\n");
	expect(dialog.getByRole("textbox", { name: "Message" })).toHaveProperty("value", "fix: y");
	expect(dialog.getByRole("button", { name: "Commit 2 files" })).toHaveProperty("disabled", false);
});

test("[PG553] the agent proposes a message in a turn that everybody sees, and its answer goes into the box", async () => {
	const { page } = inRepository();
	const dialog = await openCommit();
	fireEvent.click(dialog.getByRole("button", { name: "Let the agent propose one" }));
	await dialog.findByRole("button", { name: "The agent is writing a message…" });
	await waitFor(() => expect(JSON.stringify(page.sent)).toContain("Propose a commit message for the changes in these files: a.ts, b.ts."));
	const answer = {
		id: "m9",
		role: "assistant" as const,
		content: "```\nfix: y is better\n```",
		metadata: { outcome: "completed" as const, tools: [], parts: [] },
		createdAt: "2026-11-17T02:00:00.000Z",
	};
	const view = page.store.getState().views.c1;
	if (view === undefined) throw new Error("There is no view.");
	act(() => page.store.setState({ views: { c1: { ...view, messages: [answer] } } }));
	await waitFor(() => expect(dialog.getByRole("textbox", { name: "Message" })).toHaveProperty("value", "fix: y is better"));
	expect(plain("Just text\n")).toBe("Just text");
});
