// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openReview, testChange, testFile, testHunk } from "../../testing/review-server.tsx";

afterEach(() => {
	cleanup();
	localStorage.clear();
	vi.unstubAllGlobals();
});

const FILES = [testFile("a.ts"), testFile("b.ts"), testFile("c.ts", { by: "outside" })];
const PREVIEW = [
	{ path: "a.ts", result: "restored" as const },
	{ path: "b.ts", result: "merged" as const },
	{ path: "c.ts", result: "skipped" as const, reason: "outside" },
];
const threeFiles = () =>
	openReview({
		changes: [testChange("t1", { files: 3 })],
		detail: { conversation: { change: testChange("conversation", { kind: "conversation", files: 3 }), files: FILES, notCovered: [] } },
		hunks: { "a.ts": { file: testFile("a.ts"), hunks: [testHunk("x", "y")] } },
		undo: { files: PREVIEW, changeId: "u1" },
	});

test("[PG540] undo says first what becomes of each file, does it when told, and offers the way back", async () => {
	const { server } = threeFiles();
	fireEvent.click(await screen.findByRole("button", { name: "Undo…" }));
	const dialog = await screen.findByRole("dialog", { name: "Undo changes" });
	const rows = await within(dialog).findAllByRole("listitem");
	expect(rows.map(({ textContent }) => textContent)).toEqual([
		"a.tsas before",
		"b.tsmerged",
		"c.tsleft alonechanged by somebody else: name it to undo it",
	]);
	expect(server.posted).toEqual([{ path: "/conversation/undo", body: { preview: true } }]);
	fireEvent.click(within(dialog).getByRole("button", { name: "Undo 2 files" }));
	await screen.findByText("Undone: 2 files · 1 left alone");
	// It closes in the render after that.
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	fireEvent.click(screen.getByRole("button", { name: "Redo" }));
	await screen.findByText("Brought back: 2 files · 1 left alone");
	expect(server.posted.slice(1)).toEqual([
		{ path: "/conversation/undo", body: {} },
		{ path: "/u1/redo", body: {} },
	]);
});

test("[CG402] a file that a program has open is named with the program", async () => {
	openReview({
		changes: [testChange("t1", { files: 1 })],
		detail: {
			conversation: { change: testChange("conversation", { kind: "conversation", files: 1 }), files: [testFile("a.ts")], notCovered: [] },
		},
		hunks: { "a.ts": { file: testFile("a.ts"), hunks: [testHunk("x", "y")] } },
		undo: { files: [{ path: "a.ts", result: "restored", reason: "held-open", holders: ["vim", "node"] }], changeId: "u1" },
	});
	fireEvent.click(await screen.findByRole("button", { name: "Undo…" }));
	const dialog = await screen.findByRole("dialog", { name: "Undo changes" });
	expect((await within(dialog).findByRole("listitem")).textContent).toContain("may go on writing the old file (vim, node)");
});

test("[PG541] a file can be left out of an undo, one of somebody else taken by name, and one file be undone by itself", async () => {
	const { server } = threeFiles();
	fireEvent.click(await screen.findByRole("button", { name: "Undo…" }));
	fireEvent.click(await screen.findByRole("checkbox", { name: "Take this file: b.ts" }));
	fireEvent.click(screen.getByRole("button", { name: "Undo 1 file" }));
	await waitFor(() => expect(server.posted.at(-1)).toEqual({ path: "/conversation/undo", body: { paths: ["a.ts"] } }));
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	fireEvent.click(screen.getByRole("button", { name: "Undo…" }));
	fireEvent.click(await screen.findByRole("checkbox", { name: "Take this file: c.ts" }));
	fireEvent.click(screen.getByRole("button", { name: "Undo 3 files" }));
	await waitFor(() => expect(server.posted.at(-1)?.body).toEqual({ paths: ["a.ts", "b.ts", "c.ts"] }));
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	const section = screen.getByRole("region", { name: "b.ts" });
	fireEvent.click(within(section).getByRole("button", { name: "Undo this file…" }));
	await waitFor(() => expect(server.posted.at(-1)?.body).toEqual({ paths: ["b.ts"], preview: true }));
	fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
});

test("[PG542] several turns are chosen and undone together", async () => {
	const { server } = threeFiles();
	server.changes = [
		testChange("t1"),
		testChange("t2", { label: "make" }),
		testChange("t3", { undone: true }),
		testChange("u1", { kind: "undo" }),
	];
	cleanup();
	const again = openReview({ changes: server.changes, detail: server.detail, undo: server.undo });
	await screen.findByRole("button", { name: "Undo…" });
	fireEvent.click(screen.getByRole("button", { name: "Options" }));
	fireEvent.click(await screen.findByRole("menuitem", { name: "Undo several turns…" }));
	const boxes = within(screen.getByRole("dialog", { name: "Undo several turns" })).getAllByRole("checkbox");
	expect(boxes).toHaveLength(2);
	for (const box of boxes) fireEvent.click(box);
	fireEvent.click(screen.getByRole("button", { name: "Next" }));
	await waitFor(() => expect(again.server.posted).toEqual([{ path: "/undo", body: { changeIds: ["t1", "t2"], preview: true } }]));
});

test("[PG543] an undo that was cut off is told calmly, and goes on or back", async () => {
	const { server } = openReview({
		changes: [testChange("u1", { kind: "undo", unfinished: true })],
		detail: { conversation: { change: testChange("conversation"), files: [], notCovered: [] } },
	});
	await screen.findByText("An undo was cut off before it was finished");
	fireEvent.click(screen.getByRole("button", { name: "Take back" }));
	await waitFor(() => expect(server.posted).toEqual([{ path: "/u1/redo", body: {} }]));
	await waitFor(() => expect(screen.getByRole("button", { name: "Continue" })).toHaveProperty("disabled", false));
	fireEvent.click(screen.getByRole("button", { name: "Continue" }));
	await waitFor(() => expect(server.posted.at(-1)).toEqual({ path: "/u1/undo", body: {} }));
});

test("[PG544] the command shows what the undo of the newest change would do, or says that there is none", async () => {
	const { server, run } = threeFiles();
	await screen.findByRole("button", { name: "Undo…" });
	act(() => run("undo", { by: "slash" }));
	await screen.findByRole("dialog", { name: "Undo changes" });
	await waitFor(() => expect(server.posted).toEqual([{ path: "/t1/undo", body: { preview: true } }]));
	cleanup();
	const none = openReview({ detail: server.detail });
	await screen.findByRole("button", { name: "Undo…" });
	act(() => none.run("undo", { by: "slash" }));
	await screen.findByText("There is nothing to undo in this conversation.");
});

test("[PG544] the command for changes opens the panel, and its keys close it again", async () => {
	const { page, run } = threeFiles();
	await screen.findByRole("button", { name: "Undo…" });
	act(() => run("changes", { by: "keys" }));
	expect(page.store.getState().panel).toBeUndefined();
	act(() => run("changes", { by: "slash" }));
	act(() => run("changes", { by: "slash" }));
	expect(page.store.getState().panel).toBe("review");
});
