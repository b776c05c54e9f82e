// @vitest-environment happy-dom
import { beginTurn } from "@rightseat/protocol/fold/turn";
import type { ServerFrame } from "@rightseat/protocol/frames/server";
import type { HostView, OutboxItem } from "@rightseat/protocol/http/fleet";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { api } from "../api/api.ts";
import { emptyView } from "../conversation/conversation-view.ts";
import { SettingsDialog } from "../settings/settings-dialog.tsx";
import { NewConversationDialog } from "../sidebar/new-conversation-dialog.tsx";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { testConversation } from "../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { HostNote } from "./host-note.tsx";
import { HostOutbox } from "./host-outbox.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const host = (id: string, more: Partial<HostView> = {}): HostView => ({
	...{ id, name: id, self: false, state: "online", lastSeen: null, version: "1.0.0" },
	...more,
});
const DESK = host("desk", { self: true });
const LAPTOP = host("laptop", { state: "offline", lastSeen: "2026-01-02T03:04:05.000Z" });
const hosts: ServerFrame = { type: "fleet:hosts", data: { hosts: [DESK, LAPTOP] } };
const THERE = testConversation({ id: "laptop_c1", title: "There", host: { id: "laptop", name: "laptop" } });
const HERE = testConversation({ id: "c2", title: "Here", host: { id: "desk", name: "desk" } });
const item = (more: Partial<OutboxItem> = {}): OutboxItem => ({
	...{
		id: "m1",
		conversationId: THERE.id,
		host: "laptop",
		prompt: "for later",
		attachments: 0,
		since: "",
		state: "waiting",
		mayHaveArrived: false,
	},
	...more,
});
const lists = { messages: [], queue: [], questions: [], permissions: [], commands: [], context: [] };
const snapshot = (more: object = {}) =>
	({ type: "copilot:snapshot", data: { conversationId: THERE.id, epoch: "e", seq: 1, status: "idle", ...lists, ...more } }) as const;

test("[PG950] with more than one host the list is grouped by host with its state; alone nothing of it is shown", async () => {
	const page = createTestPage({ conversations: [THERE, HERE] });
	renderInPage(page, <Sidebar />);
	expect(screen.queryByText("laptop")).toBeNull();
	page.receive(hosts);
	await waitFor(() =>
		expect(screen.getAllByRole("heading").map((heading) => heading.textContent)).toEqual(["desk(this one)", "laptop(offline)"]),
	);
	const items = within(screen.getByRole("list", { name: "Conversations" })).getAllByRole("listitem");
	expect(items.map((each) => within(each).getByRole("link").textContent)).toEqual(["Here", "There"]);
	page.receive({ type: "fleet:hosts", data: { hosts: [DESK] } });
	await waitFor(() => expect(screen.queryByText(/this one/)).toBeNull());
});

/** What the server says of the fleet over HTTP. */
function answerFleet(problem?: object, more: (path: string, init: RequestInit) => Response | undefined = () => undefined): string[] {
	const requests: string[] = [];
	vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
		requests.push(`${init.method ?? "GET"} ${path}`);
		const kind = problem === undefined ? "connected" : "connecting";
		const status = Response.json({ status: { kind, url: "", ...(problem && { problem }) } });
		return more(path, init) ?? (path === "/api/fleet" ? status : Response.json({ hosts: [] }));
	});
	return requests;
}

test("[PG956] that the fleet cannot be reached is said on every conversation, and a host that is away without a copy says so", async () => {
	answerFleet({ code: "fleet-not-connected", message: "NATS cannot be reached. Work on this host goes on." });
	const page = createTestPage({ conversations: [THERE], openId: THERE.id });
	page.actions.openConversation(THERE.id);
	renderInPage(page, <HostNote />);
	page.receive({ type: "fleet:hosts", data: { hosts: [DESK, LAPTOP] } });
	const notes = () => screen.queryAllByRole("note").map(({ textContent }) => textContent);
	await waitFor(() =>
		expect(notes()).toEqual([
			"NATS cannot be reached. Work on this host goes on.",
			expect.stringContaining("no copy of this conversation is here"),
		]),
	);
	answerFleet();
	page.receive(hosts, snapshot());
	await waitFor(() => expect(notes()).toEqual([expect.stringContaining("What was said is shown")]));
});

test("[PG957] a prompt that waits is changed in its place until it may have left", async () => {
	const bodies: unknown[] = [];
	answerFleet(undefined, (path, init) => {
		if (init.method !== "PATCH") return undefined;
		bodies.push([path, init.body]);
		return Response.json({ items: [] });
	});
	const page = createTestPage({ conversations: [THERE], openId: THERE.id });
	renderInPage(page, <HostOutbox />);
	page.receive(hosts, {
		type: "fleet:outbox",
		data: { items: [item(), item({ id: "m2", state: "unconfirmed", mayHaveArrived: true })] },
	});
	const edits = await screen.findAllByRole("button", { name: "Edit" });
	expect(edits).toHaveLength(1);
	fireEvent.click(edits[0] ?? document.body);
	const box = screen.getByRole("textbox", { name: "Change the message that waits" });
	fireEvent.change(box, { target: { value: " " } });
	expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
	fireEvent.change(box, { target: { value: "other words" } });
	fireEvent.click(screen.getByRole("button", { name: "Save" }));
	await waitFor(() => expect(bodies).toEqual([["/api/outbox/m1", '{"prompt":"other words"}']]));
	await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
});

test("[PG951] a host that is away is named with the age of its copy, and its next word ends that", async () => {
	answerFleet();
	const page = createTestPage({ conversations: [THERE], openId: THERE.id });
	page.actions.openConversation(THERE.id);
	renderInPage(page, <HostNote />);
	expect(screen.queryByRole("note")).toBeNull();
	page.receive(hosts);
	await screen.findByRole("note");
	page.receive(snapshot());
	await waitFor(() => expect(screen.getByRole("note").textContent).toContain("laptop is offline. What was said"));
	page.receive(snapshot({ seq: 2, copyOf: "2026-01-02T03:04:05.000Z" }));
	await waitFor(() => expect(screen.getByRole("note").textContent).toContain("This is a copy of Jan 2, 2026"));
	page.receive({ type: "copilot:message_removed", data: { conversationId: THERE.id, epoch: "e", seq: 3, messageId: "none" } });
	await waitFor(() => expect(screen.getByRole("note").textContent).not.toContain("copy"));
	page.receive({ type: "fleet:hosts", data: { hosts: [DESK, { ...LAPTOP, state: "online" }] } });
	await waitFor(() => expect(screen.queryByRole("note")).toBeNull());
});

test("[PG952] prompts that wait are listed, dropped, and sent after a yes; what the server keeps is shown once", async () => {
	const requests: string[] = [];
	vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
		requests.push(`${init.method} ${path}`);
		return path.endsWith("/confirm") ? new Response(null, { status: 204 }) : Response.json({ mayHaveArrived: true });
	});
	const page = createTestPage({ conversations: [THERE], openId: THERE.id });
	renderInPage(page, <HostOutbox />);
	await page.actions.sendPrompt({ conversationId: THERE.id, prompt: "for later" });
	expect(page.store.getState().outbox.length).toBe(1);
	page.receive({ type: "copilot:ack", data: { clientMessageId: "id-1", messageId: "id-1", delivery: "outbox" } });
	expect(page.store.getState().outbox).toEqual([]);
	page.receive(hosts, {
		type: "fleet:outbox",
		data: { items: [item(), item({ id: "m2", state: "asking" }), item({ id: "m3", conversationId: "other" })] },
	});
	const list = await screen.findByRole("list", { name: "Waiting for other hosts" });
	const rows = within(list).getAllByRole("listitem");
	expect(rows.map((row) => row.textContent)).toEqual([
		"for laterWaiting for laptopEditDrop",
		"for laterWaited long for laptop. Still send it?SendEditDrop",
	]);
	fireEvent.click(within(list).getByRole("button", { name: "Send" }));
	fireEvent.click(within(list).getAllByRole("button", { name: "Drop" })[0] ?? list);
	await waitFor(() => expect(requests).toEqual(["POST /api/outbox/m2/confirm", "DELETE /api/outbox/m1"]));
	await waitFor(() => expect(page.store.getState().toasts.map(({ text }) => text)).toEqual(["It may have arrived all the same."]));
});

test("[PG953] a stop on another host names its turn, a command there its conversation; here nothing changes", () => {
	const turn = beginTurn({ messageId: "a1", userMessageId: "u1", startedAt: "2026-01-02T03:04:05.000Z" });
	const state = {
		hosts: [DESK, LAPTOP],
		views: { [THERE.id]: { ...emptyView(THERE.id), turn }, [HERE.id]: { ...emptyView(HERE.id), turn } },
	};
	const page = createTestPage({ conversations: [THERE, HERE], openId: THERE.id, state });
	page.actions.abort(THERE.id);
	page.actions.abort(HERE.id);
	page.actions.killExec("x1");
	expect(page.sent).toEqual([
		{ type: "copilot:abort", data: { conversationId: THERE.id, messageId: "a1" } },
		{ type: "copilot:abort", data: { conversationId: HERE.id } },
		{ type: "bash:kill", data: { execId: "x1", conversationId: THERE.id } },
	]);
	expect([api.attachmentUrl("a"), api.attachmentUrl("a", THERE.id)]).toEqual([
		"/api/attachments/a",
		"/api/attachments/a?conversation=laptop_c1",
	]);
});

test("[PG954] the settings list the hosts with state, version and a clock that is off, remove one after a yes, and only in a fleet", async () => {
	const requests = answerFleet(undefined, (path, init) => {
		if (path === "/api/hosts") return Response.json({ hosts: [DESK, { ...LAPTOP, clockAheadMs: 3 * 3_600_000 }] });
		return init.method === "DELETE" ? new Response(null, { status: 204 }) : undefined;
	});
	const page = createTestPage();
	renderInPage(page, <SettingsDialog />);
	expect(screen.queryByRole("button", { name: "Fleet" })).toBeNull();
	page.receive(hosts);
	fireEvent.click(await screen.findByRole("button", { name: "Fleet" }));
	const rows = within(await screen.findByRole("list", { name: "Hosts" })).getAllByRole("listitem");
	await waitFor(() =>
		expect(rows.map((row) => row.textContent)).toEqual([
			"deskthis oneonline · version 1.0.0 · desk",
			expect.stringMatching(/^laptopoffline · last seen Jan 2, 2026.* · version 1.0.0 · clock 3 h ahead · laptopRemove$/),
		]),
	);
	fireEvent.click(screen.getByRole("button", { name: "Remove laptop" }));
	expect(requests).not.toContain("DELETE /api/hosts/laptop");
	fireEvent.click(screen.getByRole("button", { name: "Remove" }));
	await waitFor(() => expect(requests).toContain("DELETE /api/hosts/laptop"));
});

test("[PG955] a new conversation is begun on the host that is chosen, with the folders of that host", async () => {
	const requests: [string, unknown][] = [];
	vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
		requests.push([path, init.body]);
		if (path.startsWith("/api/directories")) return Response.json({ path: "/there", directories: [], roots: [], recent: [] });
		if (path === "/api/conversations") return Response.json({ conversation: THERE }, { status: 201 });
		return Response.json({ models: [], default: "", agents: [] });
	});
	const page = createTestPage({ state: { hosts: [DESK, { ...LAPTOP, state: "online" }] } });
	renderInPage(page, <NewConversationDialog />);
	fireEvent.click(await screen.findByRole("combobox", { name: "Host" }));
	fireEvent.click(await screen.findByRole("option", { name: /laptop/ }));
	await waitFor(() => expect(requests.map(([path]) => path)).toContain("/api/directories?host=laptop"));
	expect(screen.queryByRole("combobox", { name: "Model" })).toBeNull();
	fireEvent.click(screen.getByRole("button", { name: "Start" }));
	await waitFor(() => expect(requests).toContainEqual(["/api/conversations", '{"host":"laptop"}']));
	await waitFor(() => expect(page.store.getState().openId).toBe(THERE.id));
});
