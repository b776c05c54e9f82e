import type { ChangeDetail, FileHunks, UndoResult } from "@rightseat/protocol/http/changes";
import type { ReviewedFile } from "@rightseat/protocol/http/git";
import type { Change, ChangedFile, Hunk } from "@rightseat/protocol/model/change";
import { vi } from "vitest";
import { PlaceLine } from "../app/place-line.tsx";
import { type RunCommand, useRunCommand } from "../commands/use-commands.ts";
import { emptyView } from "../conversation/conversation-view.ts";
import { ReviewPanel } from "../review/review-panel.tsx";
import { testConversation } from "../sidebar/test-conversation.ts";
import { Toaster } from "../ui/toaster.tsx";
import { createTestPage, renderInPage } from "./test-page.tsx";

export const testFile = (path: string, patch: Partial<ChangedFile> = {}): ChangedFile => ({
	path,
	status: "modified",
	binary: false,
	added: 1,
	removed: 1,
	by: "agent",
	...patch,
});

export const testChange = (id: string, patch: Partial<Change> = {}): Change => ({
	id,
	kind: "turn",
	at: "2026-11-17T02:00:00.000Z",
	files: 1,
	added: 1,
	removed: 1,
	undone: false,
	root: "/home/me/work/app",
	...patch,
});

/** Line 2 became another, between two that stayed. */
export const testHunk = (before: string, after: string): Hunk => ({
	id: "h1",
	oldStart: 1,
	oldLines: 3,
	newStart: 1,
	newLines: 3,
	lines: [
		{ kind: " ", text: "first", oldNumber: 1, newNumber: 1 },
		{ kind: "-", text: before, oldNumber: 2 },
		{ kind: "+", text: after, newNumber: 2 },
		{ kind: " ", text: "last", oldNumber: 3, newNumber: 3 },
	],
});

export interface FakeChanges {
	changes: Change[];
	detail: Record<string, ChangeDetail>;
	hunks: Record<string, FileHunks>;
	/** By side: `t1/a.ts/after`. */
	content: Record<string, string>;
	undo: UndoResult;
	/** Files that are not committed; undefined outside of a repository. */
	git: ReviewedFile[] | undefined;
	/** Lines that a commit answers. */
	commit: object[];
	/** Every request that was not a GET, with its body. */
	posted: { path: string; body: unknown }[];
	asked: string[];
}

/** The panel in front of a server that answers what the test says. */
export function openReview(given: Partial<FakeChanges>) {
	const server: FakeChanges = {
		changes: [],
		detail: {},
		hunks: {},
		content: {},
		undo: { files: [] },
		git: undefined,
		commit: [],
		posted: [],
		asked: [],
		...given,
	};
	vi.stubGlobal("fetch", (url: string, options: RequestInit = {}) => Promise.resolve(answer(server, new URL(url, "http://x"), options)));
	const page = createTestPage({
		conversations: [testConversation({ cwd: "/home/me/work/app" })],
		openId: "c1",
		state: { views: { c1: { ...emptyView("c1"), epoch: "e1" } }, panel: "review" },
	});
	let run: RunCommand = () => undefined;
	function Runner() {
		run = useRunCommand();
		return null;
	}
	const { container } = renderInPage(
		page,
		<>
			<Runner />
			<PlaceLine conversationId="c1" />
			<ReviewPanel />
			<Toaster />
		</>,
	);
	return { server, page, container, run: (...call: Parameters<RunCommand>) => run(...call) };
}

function answer(server: FakeChanges, url: URL, options: RequestInit): Response {
	const place = url.pathname.replace("/api/conversations/c1/changes", "");
	const [, changeId = "", what] = place.split("/");
	const path = url.searchParams.get("path") ?? "";
	const git = gitAnswer(server, url, options);
	if (git !== undefined) return git;
	if (options.method === "POST") {
		server.posted.push({ path: place, body: JSON.parse(String(options.body)) });
		return Response.json(server.undo);
	}
	server.asked.push(`${place}${url.search}`);
	if (place === "") return Response.json({ changes: server.changes });
	const found =
		what === undefined
			? server.detail[changeId]
			: what === "hunks"
				? server.hunks[path]
				: server.content[`${changeId}/${path}/${url.searchParams.get("side")}`];
	if (typeof found === "string") return new Response(found);
	return found === undefined
		? Response.json({ error: { code: "change-not-found", message: "There is no such change." } }, { status: 404 })
		: Response.json(found);
}

function gitAnswer(server: FakeChanges, url: URL, options: RequestInit): Response | undefined {
	const what = url.pathname.replace("/api/conversations/c1", "");
	const files = server.git;
	switch (what) {
		case "/git": {
			if (files === undefined) return new Response(null, { status: 204 });
			const listed = files.map(({ path }) => ({ path, status: "modified", staged: false }));
			return Response.json({ root: "/home/me/work/app", branch: "main", head: "a".repeat(40), detached: false, files: listed });
		}
		case "/review":
			return Response.json({ root: "/home/me/work/app", base: { commit: "a".repeat(40), name: "HEAD" }, files });
		case "/review/hunks": {
			const path = url.searchParams.get("path") ?? "";
			return Response.json({ ...server.hunks[path], file: files?.find((file) => file.path === path) });
		}
		case "/commit":
			server.posted.push({ path: what, body: JSON.parse(String(options.body)) });
			return new Response(server.commit.map((line) => `${JSON.stringify(line)}\n`).join(""));
		default:
			return undefined;
	}
}
