// @vitest-environment happy-dom
import type { InboxItem } from "@rightseat/protocol/model/inbox";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LanguageProvider } from "../i18n/use-words.tsx";
import type { Language } from "../i18n/words.ts";
import { usePageTitle } from "../sidebar/use-page-title.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { Toaster } from "../ui/toaster.tsx";
import { InboxEntry, InboxKeeper } from "./inbox-entry.tsx";
import { InboxPanel } from "./inbox-panel.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	document.title = "";
});

const expiresAt = new Date(Date.now() + 100_000).toISOString();
const since = new Date(Date.now() - 60_000).toISOString();
const QUESTION: InboxItem = {
	...{ id: "question-q1", kind: "question", conversationId: "c1", title: "Clock", why: "Tea or coffee?", since },
	question: { requestId: "q1", question: "Tea or coffee?", choices: ["Tea", "Coffee"], allowFreeform: false, expiresAt },
};
const PERMISSION: InboxItem = {
	...{ id: "permission-p1", kind: "permission", conversationId: "c2", title: "Build", why: "rm -rf build", since },
	permission: { requestId: "p1", kind: "shell", summary: "rm -rf build", expiresAt },
};
const FINISHED: InboxItem = {
	...{ id: "finished-a1", kind: "finished", conversationId: "c3", title: "", why: "The answer is ready. Files changed: 3.", since },
	...{ code: "turn-finished", params: { reason: "changes", files: 3 } },
};

/** A server with these items; what is seen, put off or woken changes its list, and what was asked for is written down. */
function serve(items: InboxItem[], refuse?: { path: RegExp; status: number }) {
	const server = { items, asked: [] as string[], snoozed: [] as (InboxItem & { until: string })[], badges: [] as number[] };
	const take = (id: string) => server.items.splice(server.items.findIndex((item) => item.id === id) >>> 0, 1);
	vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
		const method = init.method ?? "GET";
		const [, id = "", what] = /^\/api\/inbox\/([^/]+)\/(\w+)$/.exec(path) ?? [];
		if (method !== "GET") server.asked.push(`${method} ${path}`);
		if (refuse?.path.test(path) === true)
			return Response.json({ error: { code: "storage-busy", message: "The disk is busy." } }, { status: refuse.status });
		if (method === "GET") return Response.json({ items: server.items, snoozed: server.snoozed });
		if (what === "seen") take(id);
		else if (method === "POST") server.snoozed.push(...take(id).map((item) => ({ ...item, until: JSON.parse(String(init.body)).until })));
		else server.items.push(...server.snoozed.splice(0).map(({ until: _, ...item }) => item));
		return new Response(null, { status: 204 });
	});
	const badge = async (count = 0) => void server.badges.push(count);
	vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { setAppBadge: badge, clearAppBadge: () => badge(0) }));
	return server;
}

function Title() {
	usePageTitle();
	return null;
}

function open(language: Language = "en") {
	const page = createTestPage();
	renderInPage(
		page,
		<LanguageProvider language={language}>
			<InboxKeeper />
			<InboxEntry />
			<InboxPanel />
			<Title />
			<Toaster />
		</LanguageProvider>,
	);
	return page;
}
const rows = async (count: number) => {
	await waitFor(() => expect(document.querySelectorAll("[data-item]")).toHaveLength(count));
	return [...document.querySelectorAll<HTMLElement>("[data-item]")];
};

test("[PG900] the entry, the tab and the app say how much waits, as the server counts it, and the entry is not there when nothing does", async () => {
	const server = serve([QUESTION, FINISHED]);
	const page = open();
	await screen.findByRole("button", { name: /Inbox.*2 wait for you/ });
	expect([document.title, server.badges.at(-1)]).toEqual(["(2) Rightseat", 2]);
	server.items = [];
	page.receive({ type: "inbox:changed", data: { count: 0 } });
	await screen.findByText("Nothing waits for you");
	expect(screen.queryByRole("button", { name: /Inbox/ })).toBeNull();
	expect([document.title, server.badges.at(-1)]).toEqual(["Rightseat", 0]);
});

test("[PG901] questions and permission requests are answered in the list by keyboard alone", async () => {
	serve([QUESTION, PERMISSION, FINISHED]);
	const page = open();
	const [question, permission] = await rows(3);
	question?.focus();
	fireEvent.keyDown(question ?? document.body, { key: "2" });
	fireEvent.keyDown(question ?? document.body, { key: "ArrowDown" });
	expect(document.activeElement).toBe(permission);
	fireEvent.keyDown(permission ?? document.body, { key: "3" });
	expect(page.sent).toEqual([
		{ type: "copilot:user_input_response", data: { conversationId: "c1", requestId: "q1", answer: "Coffee", wasFreeform: false } },
		{ type: "copilot:permission_response", data: { conversationId: "c2", requestId: "p1", decision: "reject" } },
	]);
	fireEvent.keyDown(permission ?? document.body, { key: "k" });
	expect(document.activeElement).toBe(question);
});

test("[PG907] a limit that is reached and a missed schedule are settled in the list", async () => {
	const budget = { requestId: "b1", scope: "day", unit: "tokens", used: 15, limit: 10 } as const;
	const server = serve([
		{ id: "budget-b1", kind: "budget", conversationId: "c1", title: "Clock", why: "A limit is reached.", since, budget },
		{
			id: "schedule-missed-s1-1",
			kind: "schedule-missed",
			conversationId: null,
			title: "Every day",
			why: "Missed.",
			since,
			scheduleId: "s1",
		},
	]);
	const page = open();
	const [limit, missed] = await rows(2);
	fireEvent.keyDown(limit ?? document.body, { key: "2" });
	expect(page.sent).toEqual([
		{ type: "copilot:budget_response", data: { conversationId: "c1", requestId: "b1", decision: "raise", limit: 25 } },
	]);
	expect(within(limit ?? document.body).queryByRole("button", { name: "Seen" })).toBeNull();
	fireEvent.click(within(missed ?? document.body).getByRole("button", { name: "Run it now" }));
	fireEvent.click(within(missed ?? document.body).getByRole("button", { name: "Skip it" }));
	expect(server.asked).toEqual(["POST /api/schedules/s1/missed", "POST /api/schedules/s1/missed"]);
});

test("[PG901] every item says what it is and why, in the page's language; Enter opens its conversation", async () => {
	serve([FINISHED]);
	const page = open("zh-Hant");
	const [row] = await rows(1);
	expect(row?.textContent).toContain("完成");
	expect(row?.textContent).toContain("回答完成了，改動了 3 個檔案。");
	fireEvent.keyDown(row ?? document.body, { key: "Enter" });
	expect(page.store.getState().openId).toBe("c3");
});

test("[PG1085] a key decides about nothing that has just taken the place of an item which went by itself", async () => {
	const server = serve([QUESTION, PERMISSION, FINISHED]);
	const page = open();
	const [question] = await rows(3);
	question?.focus();
	server.items.shift();
	page.receive({ type: "inbox:changed", data: { count: 2 } });
	const [permission, finished] = await rows(2);
	expect(document.activeElement).toBe(permission);
	const now = vi.spyOn(performance, "now");
	const at = performance.now();
	for (const key of ["1", "e", "Enter", "l"]) fireEvent.keyDown(permission ?? document.body, { key });
	expect([page.sent, server.asked, page.store.getState().openId]).toEqual([[], [], undefined]);
	fireEvent.keyDown(permission ?? document.body, { key: "ArrowDown" });
	expect(document.activeElement).toBe(finished);
	fireEvent.keyDown(finished ?? document.body, { key: "ArrowUp" });
	now.mockReturnValue(at + 1_001);
	fireEvent.keyDown(permission ?? document.body, { key: "1" });
	expect(page.sent).toMatchObject([{ type: "copilot:permission_response", data: { requestId: "p1", decision: "approve-once" } }]);
	now.mockRestore();
});

test("[PG902] an item is seen, put off with a way back, and woken; the next one gets the focus", async () => {
	const server = serve([{ ...FINISHED, id: "finished-a0" }, FINISHED, PERMISSION]);
	open();
	const [first] = await rows(3);
	first?.focus();
	fireEvent.keyDown(first ?? document.body, { key: "e" });
	const [second, third] = await rows(2);
	expect(document.activeElement).toBe(second);
	expect(within(third ?? document.body).queryByRole("button", { name: "Seen" })).toBeNull();
	fireEvent.keyDown(second ?? document.body, { key: "l" });
	await rows(1);
	fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
	const [again] = await rows(2);
	fireEvent.click(within(again ?? document.body).getByRole("button", { name: "Later" }));
	fireEvent.click(await screen.findByRole("menuitem", { name: "Tomorrow morning" }));
	await rows(1);
	fireEvent.click(await screen.findByText("Later: 1"));
	fireEvent.click(screen.getByRole("button", { name: "Back to the list" }));
	await rows(2);
	expect(server.asked.map((call) => call.replace(/^(\w+) \/api\/inbox\//, "$1 "))).toEqual([
		"POST finished-a0/seen",
		"POST finished-a1/snooze",
		"DELETE finished-a1/snooze",
		expect.stringMatching(/^POST [\w-]+\/snooze$/),
		expect.stringMatching(/^DELETE [\w-]+\/snooze$/),
	]);
});

test.each([
	{ status: 404, said: [] },
	{ status: 503, said: ["The disk is busy."] },
])("[PG903] what was settled meanwhile needs no words, what failed is said: $status", async ({ status, said }) => {
	serve([FINISHED], { path: /seen$/, status });
	const page = open();
	const [row] = await rows(1);
	fireEvent.click(within(row ?? document.body).getByRole("button", { name: "Seen" }));
	await waitFor(() => expect(page.store.getState().toasts.map(({ text }) => text)).toEqual(said));
});

test("[PG958] an item that waits on another host names it, and whether that is offline", async () => {
	serve([
		{ ...FINISHED, host: { id: "laptop", name: "laptop" } },
		{ ...QUESTION, host: { id: "desk", name: "desk" } },
	]);
	const page = open();
	const host = { lastSeen: null, version: "1.0.0" };
	const desk = { ...host, id: "desk", name: "desk", self: true, state: "online" } as const;
	page.receive({ type: "fleet:hosts", data: { hosts: [desk, { ...host, id: "laptop", name: "laptop", self: false, state: "offline" }] } });
	expect((await screen.findByText("laptop (offline)")).closest("li")?.dataset.item).toBe("finished-a1");
	expect(screen.queryByText("desk")).toBeNull();
});
