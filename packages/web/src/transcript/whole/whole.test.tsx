// @vitest-environment happy-dom
import type { AssistantMessage, Message, UserMessage } from "@rightseat/protocol/model/message";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { QueueList } from "../../composer/queue/queue-list.tsx";
import { emptyView } from "../../conversation/conversation-view.ts";
import { CONVERSATION, snapshot } from "../../testing/frames.ts";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { ConversationLog } from "../log/conversation-log.tsx";

const createdAt = "2026-01-02T03:04:05.000Z";
const WHOLE_TOOL: ToolRecord = {
	toolCallId: "k1",
	toolName: "Fetch",
	arguments: { url: "https://a.example" },
	success: true,
	result: "the whole",
};
const cutTool: ToolRecord = { ...WHOLE_TOOL, result: "the", truncated: { result: 9 } };
const answer = (fields: { tools?: ToolRecord[]; text?: string; truncated?: AssistantMessage["truncated"] }): AssistantMessage => ({
	id: "a1",
	role: "assistant",
	content: fields.text ?? "",
	metadata: {
		outcome: "completed",
		tools: fields.tools ?? [],
		parts: (fields.tools ?? []).map(({ toolCallId }) => ({ kind: "tool" as const, toolCallId })),
	},
	createdAt,
	truncated: fields.truncated,
});

/** The server: answers of its routes by path, and which were asked for. */
let routes: Map<string, () => Response>;
let asked: string[];
beforeEach(() => {
	localStorage.clear();
	routes = new Map();
	asked = [];
	vi.stubGlobal("fetch", async (path: string) => {
		if (!path.includes("/messages/")) return Response.json({});
		asked.push(path);
		const answered = routes.get(path);
		if (answered === undefined) throw new TypeError("Failed to fetch");
		return answered();
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

async function open(...messages: Message[]) {
	const page = createTestPage({ openId: CONVERSATION, state: { views: { [CONVERSATION]: emptyView(CONVERSATION) } } });
	await act(async () => page.actions.openConversation(CONVERSATION));
	const rendered = renderInPage(page, <ConversationLog conversationId={CONVERSATION} />);
	act(() => page.receive(snapshot({ messages })));
	return { ...page, ...rendered, openCard: () => toggle(rendered.container) };
}
function toggle(container: HTMLElement): void {
	const card = container.querySelector("details");
	if (card === null) throw new TypeError("There is no card.");
	card.open = true;
	fireEvent(card, new Event("toggle"));
}
const TOOL_PATH = `/api/conversations/${CONVERSATION}/messages/a1/tools/k1`;

test("[PG310] a card shows what came with the page, and fetches the rest once when it is opened", async () => {
	const { openCard, container } = await open(answer({ tools: [cutTool] }));
	routes.set(TOOL_PATH, () => Response.json({ tool: WHOLE_TOOL }));
	expect(asked).toEqual([]);
	openCard();
	expect(screen.getByRole("status", { name: "" }).textContent).toBe("Loading the rest…");
	expect(container.textContent).not.toContain("the whole");
	expect(screen.queryByRole("button", { name: "Copy output" })).toBeNull();
	await screen.findByText("the whole");
	expect(screen.getByRole("button", { name: "Copy output" })).toBeTruthy();
	expect([asked, screen.queryByText("Loading the rest…")]).toEqual([[TOOL_PATH], null]);
});

test("[PG311] [PG337] what cannot be fetched says why and keeps its Retry under the same finger", async () => {
	const { openCard } = await open(answer({ tools: [cutTool] }));
	openCard();
	await screen.findByText("The server cannot be reached right now.");
	const retry = screen.getByRole("button", { name: "Retry" });
	retry.focus();
	routes.set(TOOL_PATH, () => Response.json({ tool: WHOLE_TOOL }));
	fireEvent.click(retry);
	expect(document.activeElement).toBe(retry);
	await screen.findByText("the whole");
	expect(document.activeElement).toBe(screen.getByRole("log"));
});

test("[PG311] what failed offline is fetched by itself when the connection is back", async () => {
	const { openCard, store } = await open(answer({ tools: [cutTool] }));
	act(() => store.setState({ connection: { kind: "waiting", since: 0, retryAt: 1 } }));
	openCard();
	await screen.findByText("The server cannot be reached right now.");
	routes.set(TOOL_PATH, () => Response.json({ tool: WHOLE_TOOL }));
	act(() => store.setState({ connection: { kind: "open", since: 2 } }));
	await screen.findByText("the whole");
});

test("[PG310] a file edit of which only a part is here shows no diff before the whole has come", async () => {
	const whole: ToolRecord = { toolCallId: "k1", toolName: "create", arguments: { path: "a.ts", file_text: "one\ntwo" }, success: true };
	const part: ToolRecord = { ...whole, arguments: { path: "a.ts", file_text: "one" }, truncated: { arguments: 40 } };
	const { openCard, container } = await open(answer({ tools: [part] }));
	expect(container.querySelector(".tool-counts")).toBeNull();
	routes.set(TOOL_PATH, () => Response.json({ tool: whole }));
	openCard();
	await waitFor(() => expect(container.querySelector(".tool-counts")?.textContent).toBe("+2 −0"));
});

/** A prompt of which only the beginning is here. */
const prompt: UserMessage = {
	id: "u1",
	role: "user",
	content: "Please",
	metadata: { origin: "web" },
	createdAt,
	truncated: { content: 12 },
};

test("[PG312] of a very long answer, prompt or command output the beginning is shown, and all of it on demand", async () => {
	const { container } = await open(prompt, answer({ text: "It is", truncated: { content: 10 } }));
	expect(screen.getByText("Only the beginning is shown, 12 characters in all.")).toBeTruthy();
	const of = (id: string) => `/api/conversations/${CONVERSATION}/messages/${id}`;
	routes.set(of("u1"), () => Response.json({ message: { ...prompt, content: "Please do it", truncated: undefined } }));
	routes.set(of("a1"), () => Response.json({ message: answer({ text: "It is done" }) }));
	for (const button of screen.getAllByRole("button", { name: "Show all of it" })) fireEvent.click(button);
	await screen.findByText("Please do it");
	await screen.findByText("It is done");
	expect(container.querySelector(".whole-note")).toBeNull();
	expect(screen.getByRole("button", { name: "Copy as Markdown" })).toBeTruthy();
});

test("[PG352] copying or editing what is here only in part takes all of it, and nothing when it cannot be fetched", async () => {
	const copied: string[] = [];
	vi.stubGlobal("ClipboardItem", undefined);
	vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void copied.push(text));
	const { store } = await open(prompt, answer({ text: "It is", truncated: { content: 10 } }));
	fireEvent.click(screen.getByRole("button", { name: "Copy as Markdown" }));
	await waitFor(() => expect(store.getState().toasts.length).toBe(1));
	expect([copied, screen.queryByRole("button", { name: "Copied" })]).toEqual([[], null]);
	const of = (id: string) => `/api/conversations/${CONVERSATION}/messages/${id}`;
	routes.set(of("u1"), () => Response.json({ message: { ...prompt, content: "Please do it", truncated: undefined } }));
	routes.set(of("a1"), () => Response.json({ message: answer({ text: "It is done" }) }));
	fireEvent.click(screen.getByRole("button", { name: "Copy as Markdown" }));
	fireEvent.click(screen.getByRole("button", { name: "Copy text" }));
	await waitFor(() => expect(copied.toSorted()).toEqual(["It is done", "Please do it"]));
	expect(await screen.findAllByRole("button", { name: "Copied" })).toHaveLength(2);
});

test("[PG353] what was opened stays open when its row was out of sight", async () => {
	const cut = answer({ text: "It is", truncated: { content: 10 } });
	const page = await open(cut);
	routes.set(`/api/conversations/${CONVERSATION}/messages/a1`, () => Response.json({ message: answer({ text: "It is done" }) }));
	fireEvent.click(screen.getByRole("button", { name: "Show all of it" }));
	await screen.findByText("It is done");
	const show = (messages: Message[]) =>
		act(() => page.store.setState({ views: { [CONVERSATION]: { ...emptyView(CONVERSATION), messages } } }));
	show([]);
	expect(screen.queryByText("It is done")).toBeNull();
	show([cut]);
	expect([screen.getByText("It is done").isConnected, asked.length]).toEqual([true, 1]);
});

test("[PG341] of a very long prompt that joined a turn the beginning is shown, and all of it on demand", async () => {
	const joined: UserMessage = {
		id: "u2",
		role: "user",
		content: "Also",
		metadata: { origin: "web", delivery: "steered" },
		createdAt,
		truncated: { content: 12 },
	};
	const done = answer({ text: "Done" });
	const parts = [{ kind: "steer" as const, messageId: "u2" }];
	await open(joined, { ...done, metadata: { ...done.metadata, parts } });
	routes.set(`/api/conversations/${CONVERSATION}/messages/u2`, () =>
		Response.json({ message: { ...joined, content: "Also do that", truncated: undefined } }),
	);
	expect(screen.getByText("Only the beginning is shown, 12 characters in all.")).toBeTruthy();
	fireEvent.click(screen.getByRole("button", { name: "Show all of it" }));
	await screen.findByText("Also do that");
});

test("[PG313] a queued prompt that is here only in part is edited whole", async () => {
	const page = createTestPage({ openId: CONVERSATION });
	renderInPage(page, <QueueList conversationId={CONVERSATION} items={[{ messageId: "m1", content: "first", truncated: 12 }]} />);
	const whole = { id: "m1", role: "user", content: "first second", metadata: { origin: "web" }, createdAt };
	routes.set(`/api/conversations/${CONVERSATION}/messages/m1`, () => Response.json({ message: whole }));
	fireEvent.click(screen.getByRole("button", { name: "Edit" }));
	expect((await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Queued prompt" })).value).toBe("first second");
});

test("[PG314] what cannot be read whole cannot be allowed", async () => {
	const { receive } = await open();
	const request = { requestId: "p1", kind: "shell", summary: "Run a command", detail: "rm -r", expiresAt: createdAt, truncated: 900_000 };
	act(() => receive(snapshot({ permissions: [request] })));
	expect(screen.getByText(/900,000 characters in all/)).toBeTruthy();
	expect(screen.queryByRole("button", { name: "Allow once" })).toBeNull();
	expect(screen.getByRole("button", { name: "Reject" })).toBeTruthy();
});
