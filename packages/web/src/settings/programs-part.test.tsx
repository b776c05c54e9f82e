// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { ProgramsPart } from "./programs-part.tsx";

const EDITOR = { id: "t/1", name: "Editor", permissions: "ask", reach: "all", createdAt: "2026-02-03T10:00:00.000Z", lastUsedAt: null };
let tokens: object[];
let calls: { call: string; body: unknown }[];
let fails: boolean;
beforeEach(() => {
	tokens = [];
	calls = [];
	fails = false;
	vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
		if (method === "GET") return Response.json({ tokens });
		calls.push({ call: `${method} ${path}`, body: typeof body === "string" ? JSON.parse(body) : undefined });
		if (fails) return Response.json({ error: { code: "storage-read-only", message: "The disk is full." } }, { status: 503 });
		tokens = method === "POST" ? [EDITOR] : [];
		return method === "POST"
			? Response.json({ token: EDITOR, secret: "rsm_secret" }, { status: 201 })
			: new Response(null, { status: 204 });
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test("[PG850] a token for a program is made with what it may do, shown once, listed and revoked after a question", async () => {
	renderInPage(createTestPage(), <ProgramsPart />);
	await screen.findByText("No program has a token.");
	fireEvent.change(screen.getByRole("textbox", { name: "Name of the program" }), { target: { value: " Editor " } });
	fireEvent.click(screen.getByRole("checkbox", { name: "It sees all conversations" }));
	fireEvent.click(screen.getByRole("button", { name: "Make a token" }));
	expect(await screen.findByDisplayValue("rsm_secret")).toBe(screen.getByRole("textbox", { name: "Token" }));
	await screen.findByText("asks before it acts · all conversations · last used never");
	expect(calls).toEqual([{ call: "POST /api/mcp-tokens", body: { name: "Editor", permissions: "ask", reach: "all" } }]);
	fireEvent.click(screen.getByRole("button", { name: "Revoke Editor" }));
	await screen.findByText("Editor gets in no more, and what it waits for stops.");
	expect(calls).toHaveLength(1);
	fireEvent.click(screen.getByRole("button", { name: "Revoke" }));
	await screen.findByText("No program has a token.");
	expect(calls[1]?.call).toBe("DELETE /api/mcp-tokens/t%2F1");
	expect(screen.queryByDisplayValue("rsm_secret")).toBeNull();
});

test("[PG850] what could not be made is said, and nothing is made without a name", async () => {
	fails = true;
	renderInPage(createTestPage(), <ProgramsPart />);
	await screen.findByText("No program has a token.");
	expect(screen.getByRole("button", { name: "Make a token" })).toHaveProperty("disabled", true);
	fireEvent.change(screen.getByRole("textbox", { name: "Name of the program" }), { target: { value: "Editor" } });
	fireEvent.click(screen.getByRole("button", { name: "Make a token" }));
	await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/^That did not work: /));
	expect(screen.queryByRole("textbox", { name: "Token" })).toBeNull();
});
