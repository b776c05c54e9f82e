// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyView } from "../conversation/conversation-view.ts";
import { testConversation } from "../sidebar/test-conversation.ts";
import { CONVERSATION, createScript, snapshot } from "../testing/frames.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { ConversationLog } from "../transcript/log/conversation-log.tsx";
import { lastDays } from "./usage-chart.tsx";
import { UsageSection } from "./usage-section.tsx";

const [today = ""] = lastDays(1, Date.now());
let calls: { call: string; body: unknown }[];
beforeEach(() => {
	localStorage.clear();
	calls = [];
	vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
		const json: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
		if (method !== "GET") calls.push({ call: `${method} ${path}`, body: json });
		if (path === "/api/budget") return Response.json(method === "PUT" ? json : { tokensPerDay: 5_000 });
		const { searchParams } = new URL(path, "http://x");
		if (searchParams.has("conversation"))
			return Response.json({ rows: [{ key: CONVERSATION, inputTokens: 40, outputTokens: 2, cost: 0.5 }] });
		if (searchParams.get("by") === "day") return Response.json({ rows: [{ key: today, inputTokens: 1_000, outputTokens: 234 }] });
		const key = searchParams.get("by") === "model" ? "gpt-5" : "copilot";
		return Response.json({ rows: [{ key, inputTokens: 1_000, outputTokens: 234, cost: 0.5 }] });
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test("[PG911] usage is a chart that says what it shows, and a table by day, model, agent or conversation", async () => {
	renderInPage(createTestPage(), <UsageSection />);
	const chart = await screen.findByRole("img");
	expect(chart.getAttribute("aria-label")).toBe(`Tokens of each of the last 30 days; 1,234 in all, most on ${today}: 1,234.`);
	expect(chart.querySelectorAll("rect")).toHaveLength(30);
	const row = await screen.findByRole("row", { name: /gpt-5/ });
	expect(
		within(row)
			.getAllByRole("cell")
			.map((cell) => cell.textContent),
	).toEqual(["1,000", "234", "0.5"]);
	fireEvent.click(screen.getByRole("radio", { name: "Agent" }));
	await screen.findByRole("row", { name: /copilot/ });
});

test("[PG960] usage names the hosts that are offline, whose part is not in it", async () => {
	const page = createTestPage();
	renderInPage(page, <UsageSection />);
	const laptop = { id: "laptop", name: "laptop", self: false, state: "offline", lastSeen: null, version: "1" } as const;
	page.receive({ type: "fleet:hosts", data: { hosts: [laptop] } });
	await screen.findByText("Without what is on laptop: offline.");
});

test("[PG912] the limits of a day and of the conversation on screen are set and taken away in the settings", async () => {
	const conversation = testConversation({ id: CONVERSATION, title: "Clock tests" });
	const page = createTestPage({ openId: CONVERSATION, state: { conversations: { [CONVERSATION]: conversation } } });
	renderInPage(page, <UsageSection />);
	await screen.findByText("Used so far: 42 tokens · cost 0.5");
	const part = (name: string) => {
		const section = screen.getByRole("heading", { name }).closest("section");
		if (section === null) throw new RangeError(name);
		return within(section);
	};
	const day = part("Limit of a day");
	await waitFor(() => expect(day.getByRole<HTMLInputElement>("spinbutton", { name: "Tokens" }).value).toBe("5000"));
	fireEvent.change(day.getByRole("spinbutton", { name: "Tokens" }), { target: { value: "" } });
	fireEvent.change(day.getByRole("spinbutton", { name: "Cost" }), { target: { value: "2.5" } });
	fireEvent.click(day.getByRole("button", { name: "Save" }));
	await day.findByText("Saved.");
	const own = part("Limit of “Clock tests”");
	fireEvent.change(own.getByRole("spinbutton", { name: "Tokens" }), { target: { value: "900" } });
	await act(async () => fireEvent.click(own.getByRole("button", { name: "Save" })));
	expect(calls.map(({ call, body }) => ({ call, body }))).toEqual([
		{ call: "PUT /api/budget", body: { costPerDay: 2.5 } },
		{ call: `PATCH /api/conversations/${CONVERSATION}`, body: { budget: { tokens: 900 } } },
	]);
});

test("[PG910] a reached limit is a card that lets the turn go on, raises the limit or stops, and says afterwards what was decided", async () => {
	const page = createTestPage({ openId: CONVERSATION, state: { views: { [CONVERSATION]: emptyView(CONVERSATION) } } });
	await act(async () => page.actions.openConversation(CONVERSATION));
	const { container } = renderInPage(page, <ConversationLog conversationId={CONVERSATION} />);
	const script = createScript();
	act(() => page.receive(snapshot(), script.user({ messageId: "u1" }), script.begin(), script.limit("q3")));
	page.sent.length = 0;
	const card = within(await screen.findByRole("group", { name: "Limit reached" }));
	expect(card.getByText(/^1,200 of 1,000 tokens are used today/)).toBeTruthy();
	expect(container.querySelector("[aria-live=polite]")?.textContent).toContain("A limit is reached");
	expect(screen.getByText("Waiting for your answer")).toBeTruthy();
	fireEvent.click(card.getByRole("button", { name: "Go on with this turn" }));
	fireEvent.change(card.getByRole("spinbutton", { name: "New limit" }), { target: { value: "1200" } });
	expect(card.getByRole("button", { name: "Raise the limit" })).toHaveProperty("disabled", true);
	fireEvent.change(card.getByRole("spinbutton", { name: "New limit" }), { target: { value: "9000" } });
	fireEvent.click(card.getByRole("button", { name: "Raise the limit" }));
	fireEvent.click(card.getByRole("button", { name: "Stop the turn" }));
	const of = { conversationId: CONVERSATION, requestId: "q3" };
	expect(page.sent.map((frame) => ("data" in frame ? frame.data : undefined))).toEqual([
		{ ...of, decision: "once" },
		{ ...of, decision: "raise", limit: 9_000 },
		{ ...of, decision: "stop" },
	]);
	act(() => page.receive(script.limitRaised("q3")));
	expect(screen.queryByRole("group", { name: "Limit reached" })).toBeNull();
	expect(screen.getByText("Answered on Telegram: the limit was raised")).toBeTruthy();
});
