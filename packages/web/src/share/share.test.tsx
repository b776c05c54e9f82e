// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { testConversation } from "../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { ShareDialog } from "./share-dialog.tsx";

afterEach(() => {
	cleanup();
	localStorage.clear();
	vi.unstubAllGlobals();
});

test("[PG925] the file is looked at before it is saved; a link to watch is made, shown once, listed and ended", async () => {
	const calls: string[] = [];
	const of = (id: string, conversationId: string) => ({
		...{ id, conversationId, createdAt: "2026-11-17T02:00:00.000Z", expiresAt: "2026-11-18T02:00:00.000Z", lastUsedAt: null },
	});
	let shares = [of("other", "c9")];
	vi.stubGlobal("fetch", async (url: string, options: RequestInit = {}) => {
		const method = options.method ?? "GET";
		if (method !== "GET") calls.push(`${method} ${url} ${options.body ?? ""}`.trim());
		if (method === "DELETE") {
			shares = shares.filter(({ conversationId }) => conversationId === "c9");
			return new Response(null, { status: 204 });
		}
		if (method === "GET") return Response.json({ shares });
		shares = [of("s1", "c1"), ...shares];
		return Response.json({ share: of("s1", "c1"), path: "/watch/secret" }, { status: 201 });
	});
	const page = createTestPage({ conversations: [testConversation()], openId: "c1" });
	renderInPage(page, <ShareDialog />);
	const file = "/api/conversations/c1/export?format=html&lang=en&pictures=1";
	expect(screen.getByRole("link", { name: "Look at it" }).getAttribute("href")).toBe(`${file}&preview=1`);
	expect(screen.getByRole("link", { name: "Save" }).getAttribute("href")).toBe(file);
	fireEvent.click(screen.getByRole("checkbox", { name: "With attached pictures" }));
	expect(screen.getByRole("link", { name: "Save" }).getAttribute("href")).toBe(file.replace("&pictures=1", ""));
	fireEvent.change(screen.getByRole("combobox", { name: "Works for" }), { target: { value: "168" } });
	fireEvent.click(screen.getByRole("button", { name: "Make a link" }));
	expect((await screen.findByText(/\/watch\/secret$/)).textContent).toMatch(/^http/);
	fireEvent.click(await screen.findByRole("button", { name: "End" }));
	await vi.waitFor(() => expect(screen.queryByRole("button", { name: "End" })).toBeNull());
	expect(calls).toEqual(['POST /api/conversations/c1/shares {"hours":168}', "DELETE /api/shares/s1"]);
});

test("[PG1070] a conversation with Copilot is handed to the CLI by a press, which shows the command; one with another agent has no such thing", async () => {
	const calls: string[] = [];
	let isBusy = true;
	vi.stubGlobal("fetch", async (url: string, { method = "GET" }: RequestInit = {}) => {
		if (method === "GET") return Response.json({ shares: [] });
		calls.push(`${method} ${url}`);
		const error = { code: "bad-request", message: "The agent is still answering.", params: { reason: "still-answering" } };
		if (isBusy) return Response.json({ error }, { status: 400 });
		return Response.json({ sessionId: "c1", isCopy: false, command: "cd /shop && copilot --resume=c1" });
	});
	const { unmount } = renderInPage(createTestPage({ conversations: [testConversation()], openId: "c1" }), <ShareDialog />);
	const button = screen.getByRole("button", { name: "Copy it there" });
	fireEvent.click(button);
	expect(await screen.findByText(/still answering/)).toBeDefined();
	isBusy = false;
	fireEvent.click(button);
	expect(await screen.findByText("cd /shop && copilot --resume=c1")).toBeDefined();
	expect(screen.queryByText(/still answering/)).toBeNull();
	expect(calls).toEqual(Array.from({ length: 2 }, () => "POST /api/conversations/c1/handover"));
	unmount();
	renderInPage(createTestPage({ conversations: [{ ...testConversation(), agent: "claude" }], openId: "c1" }), <ShareDialog />);
	expect(screen.queryByText("Continue in the Copilot CLI")).toBeNull();
});
