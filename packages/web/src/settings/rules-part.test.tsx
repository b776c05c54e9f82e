// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { RulesPart } from "./rules-part.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test("[PG1061] what is allowed for good is listed by folder with what it covers, and taken back after a question; nothing is shown without any", async () => {
	const rule = { id: "r/1", text: "git status", exact: false, writes: false, createdAt: "2026-02-03T10:00:00.000Z" };
	let folders = [{ path: "/shop", rules: [rule, { ...rule, id: "r2", text: "rm -rf dist", exact: true, writes: true }] }];
	const calls: string[] = [];
	let fails = true;
	vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
		if (method === "GET") return Response.json({ folders });
		calls.push(`${method} ${path}`);
		if (fails) return Response.json({ error: { code: "storage-read-only", message: "The disk is full." } }, { status: 503 });
		folders = [];
		return new Response(null, { status: 204 });
	});
	renderInPage(createTestPage(), <RulesPart />);
	await screen.findByText("with any arguments, in /shop");
	expect(screen.getByRole("list", { name: "/shop" }).textContent).toContain("exactly these words and output into its files, in /shop");
	const takeBack = async () => {
		fireEvent.click(screen.getByRole("button", { name: "Take back git status" }));
		await screen.findByText("git status is asked about again from now on.");
		fireEvent.click(screen.getByRole("button", { name: "Take back" }));
	};
	await takeBack();
	await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/^That did not work: /));
	fails = false;
	await takeBack();
	await screen.findByText("git status is asked about again.");
	expect(calls).toEqual(["DELETE /api/permissions/r%2F1", "DELETE /api/permissions/r%2F1"]);
	expect(screen.queryByRole("list")).toBeNull();
	cleanup();
	renderInPage(createTestPage(), <RulesPart />);
	await waitFor(() => expect(document.body.textContent).not.toContain("…"));
	expect(screen.queryByText("Always allowed commands")).toBeNull();
});
