// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { emptyView } from "../conversation/conversation-view.ts";
import { testConversation } from "../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { PlaceLine } from "./place-line.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** A server whose repository stands where the test says; undefined: no repository. */
function open(git: { branch: string | null; head: string | null; detached: boolean; files?: object[] } | undefined) {
	const answers = { git, asked: 0 };
	vi.stubGlobal("fetch", () => {
		answers.asked++;
		const body = answers.git === undefined ? undefined : { root: "/home/me/work/app", files: [], ...answers.git };
		return Promise.resolve(body === undefined ? new Response(null, { status: 204 }) : Response.json(body));
	});
	const conversation = testConversation({ cwd: "/home/me/work/app" });
	const page = createTestPage({
		conversations: [conversation],
		openId: "c1",
		state: { views: { c1: { ...emptyView("c1"), epoch: "e" } } },
	});
	const { container } = renderInPage(page, <PlaceLine conversationId="c1" />);
	const busy = (running: boolean) =>
		act(async () =>
			page.store.setState({ views: { c1: { ...emptyView("c1"), epoch: "e", status: running ? "streaming" : "completed" } } }),
		);
	return { page, answers, busy, line: () => container.textContent };
}

test("[PG208] the header names the working directory and the branch, and looks again when a turn has ended", async () => {
	const { answers, busy, line } = open({ branch: "main", head: "a".repeat(40), detached: false });
	await screen.findByText("main");
	expect(line()).toBe("Working directory …/work/appBranch main");
	expect(screen.getByTitle("/home/me/work/app")).toBeTruthy();
	answers.git = { branch: null, head: "0123456789".repeat(4), detached: true };
	await busy(true);
	expect(answers.asked).toBe(1);
	await busy(false);
	await screen.findByText("detached at 01234567");
});

test("[PG208] outside of a repository only the directory is named", async () => {
	const { answers, line } = open(undefined);
	await vi.waitUntil(() => answers.asked === 1);
	await act(async () => undefined);
	expect(line()).toBe("Working directory …/work/app");
});

test("[PG545] the header counts the files that are not committed, and opens the changes", async () => {
	const file = (path: string, staged: boolean) => ({ path, status: "modified", staged });
	// One that is staged and was changed again is one file.
	const { page, line } = open({
		branch: "main",
		head: "a".repeat(40),
		detached: false,
		files: [file("a", true), file("a", false), file("b", false)],
	});
	await screen.findByText("2 uncommitted");
	expect(line()).toBe("Working directory …/work/appBranch main2 uncommitted±2");
	fireEvent.click(screen.getByRole("button", { name: /Working directory/ }));
	expect(page.store.getState().panel).toBe("review");
});
