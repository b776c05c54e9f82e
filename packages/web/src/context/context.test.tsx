// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { testConversation } from "../sidebar/test-conversation.ts";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { ContextDialog } from "./context-dialog.tsx";
import { ContextWindows } from "./context-windows.tsx";

afterEach(() => {
	cleanup();
	localStorage.clear();
	vi.unstubAllGlobals();
});

const PICTURE = {
	...{ tokens: 21_480, limit: 128_000, compactionThreshold: 102_400, asOf: "2026-11-17T02:00:00.000Z" },
	categories: [
		{ kind: "system", tokens: 4_087 },
		{ kind: "messages", tokens: 13_466 },
		{ kind: "novel", tokens: 7 },
	],
	heaviest: [{ role: "tool", label: "src/clock.ts", tokens: 6_210 }],
};
const page = () => createTestPage({ conversations: [testConversation()], openId: "c1" });

function answer(reply: (url: string, body: unknown) => Response): string[] {
	const calls: string[] = [];
	vi.stubGlobal("fetch", async (url: string, options: RequestInit = {}) => {
		calls.push(`${options.method ?? "GET"} ${url}`);
		return reply(url, JSON.parse(String(options.body ?? "null")));
	});
	return calls;
}

test("[PG1050] the window shows what fills the context as a table, an unknown kind by its name, and says why it cannot be compacted", async () => {
	const calls = answer((url) =>
		url.endsWith("/context")
			? Response.json(PICTURE)
			: Response.json({ error: { code: "conversation-busy", message: "Something runs here." } }, { status: 409 }),
	);
	renderInPage(page(), <ContextDialog />);
	const table = await screen.findByRole("table");
	expect(within(table).getByRole("row", { name: "Messages and results 13.5K" })).toBeTruthy();
	expect(within(table).getByRole("row", { name: "novel 7" })).toBeTruthy();
	expect(screen.getByText("21.5K of 128K tokens")).toBeTruthy();
	expect(screen.getByText(/^As of /)).toBeTruthy();
	fireEvent.click(screen.getByRole("button", { name: "Compact now" }));
	expect((await screen.findByRole("alert")).textContent).toBe("Something runs here.");
	expect(calls).toEqual(["GET /api/conversations/c1/context", "POST /api/conversations/c1/compact"]);
});

test("[PG1051] a side question that was typed is asked at once, once, and its answer can be copied; the next one takes its place", async () => {
	const asked: unknown[] = [];
	answer((_url, body) => {
		asked.push(Object(body).question);
		return Response.json({ answer: `re: ${Object(body).question}` });
	});
	function Asked() {
		const setUi = useUiSet();
		return useUi((ui) => ui.context) !== undefined ? (
			<ContextWindows />
		) : (
			<button type="button" onClick={() => setUi({ context: "btw Which file?" })}>
				begin
			</button>
		);
	}
	renderInPage(page(), <Asked />);
	fireEvent.click(screen.getByRole("button", { name: "begin" }));
	expect(await screen.findByText("re: Which file?")).toBeTruthy();
	expect(screen.getByRole("button", { name: "Copy the answer" })).toBeTruthy();
	expect(screen.getByText(/Neither question nor answer is kept/)).toBeTruthy();
	fireEvent.change(screen.getByRole("textbox", { name: "Question" }), { target: { value: "And now?" } });
	fireEvent.click(screen.getByRole("button", { name: "Ask" }));
	expect(await screen.findByText("re: And now?")).toBeTruthy();
	expect(asked).toEqual(["Which file?", "And now?"]);
});
