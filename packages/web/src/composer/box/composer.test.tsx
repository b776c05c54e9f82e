// @vitest-environment happy-dom
import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyView } from "../../conversation/conversation-view.ts";
import { testConversation } from "../../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { Composer } from "./composer.tsx";

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const view = (fields: Partial<ReturnType<typeof emptyView>> = {}) => ({ ...emptyView("c1"), epoch: "e1", ...fields });

const models = { models: [{ id: "demo-pilot", name: "Demo pilot", demo: true }], default: "demo-pilot" };

function open(fields: Partial<ReturnType<typeof emptyView>> = {}) {
	const page = createTestPage({ conversations: [testConversation()], openId: "c1", state: { models, views: { c1: view(fields) } } });
	const rendered = renderInPage(page, <Composer />);
	const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
	const write = (text: string) => fireEvent.change(box(), { target: { value: text } });
	return { ...page, ...rendered, box, write };
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

test("[PG76] Enter sends the prompt with an id of its own and empties the box", async () => {
	const { sent, box, write } = open();
	write("Fix the build");
	fireEvent.keyDown(box(), { key: "Enter" });
	await waitFor(() => expect(sent).toHaveLength(1));
	expect(sent[0]).toEqual({
		type: "copilot:send",
		data: { conversationId: "c1", prompt: "Fix the build", clientMessageId: "id-1", attachments: undefined, mode: "enqueue" },
	});
	expect(box().value).toBe("");
});

test("[PG121] Stop, Steer and Send that go away under a keyboard leave the focus in the message box", async () => {
	const { store, box, write } = open({ status: "streaming" });
	const status = (next: "streaming" | "completed") => act(() => store.setState({ views: { c1: view({ status: next }) } }));
	button("Stop").focus();
	fireEvent.click(button("Stop"));
	expect(document.activeElement).toBe(button("Stop"));
	status("completed");
	expect(document.activeElement).toBe(box());

	status("streaming");
	write("and this");
	button("Steer").focus();
	fireEvent.click(button("Steer"));
	await waitFor(() => expect(document.activeElement).toBe(box()));

	write("one more");
	button("Send").focus();
	fireEvent.click(button("Send"));
	expect(document.activeElement).toBe(box());
});

test("[PG53] an Enter that ends a composition sends nothing", async () => {
	const { sent, box, write } = open();
	write("ㄋㄧˇ");
	const event = createEvent.keyDown(box(), { key: "Enter", keyCode: 229 });
	fireEvent(box(), event);
	expect(event.defaultPrevented).toBe(false);
	expect([sent, box().value]).toEqual([[], "ㄋㄧˇ"]);
});

test("[PG56] a line with ! looks like a shell line, goes to handleBashSend and never to the model", async () => {
	const { sent, box, write } = open();
	write("!  ls -la");
	expect(screen.getByText(/Runs in the shell/)).toBeTruthy();
	fireEvent.click(button("Send"));
	await waitFor(() => expect(sent).toHaveLength(1));
	expect(sent[0]).toEqual({ type: "bash:exec", data: { command: "ls -la", conversationId: "c1", clientMessageId: "id-1" } });
	expect(box().value).toBe("");
});

test("[PG57] ! alone stays in the box", () => {
	const { sent, box, write } = open();
	write("!");
	fireEvent.keyDown(box(), { key: "Enter" });
	expect([sent, box().value]).toEqual([[], "!"]);
});

test("[PG76] while a turn runs, Send queues, Steer sends into it and Stop stops it", async () => {
	const { sent, write } = open({ status: "streaming" });
	write("and then this");
	fireEvent.click(button("Steer"));
	await waitFor(() => expect(sent).toHaveLength(1));
	write("later");
	fireEvent.click(button("Send"));
	await waitFor(() => expect(sent).toHaveLength(2));
	fireEvent.click(button("Stop"));
	expect(sent.map((frame) => (frame.type === "copilot:send" ? frame.data.mode : frame.type))).toEqual([
		"immediate",
		"enqueue",
		"copilot:abort",
	]);
});

test("[PG61] queued prompts can be moved, changed, dropped and steered in", async () => {
	const queue = [
		{ messageId: "m1", content: "first" },
		{ messageId: "m2", content: "second" },
	];
	const { sent } = open({ status: "streaming", queue });
	const rows = within(await screen.findByRole("region", { name: "Queued prompts" })).getAllByRole("listitem");
	const inRow = (index: number, name: string) => within(rows[index] ?? document.body).getByRole("button", { name });
	fireEvent.click(inRow(1, "Move up"));
	fireEvent.click(inRow(0, "Steer in now"));
	fireEvent.click(inRow(0, "Drop"));
	fireEvent.click(inRow(1, "Edit"));
	const editor = screen.getByRole("textbox", { name: "Queued prompt" });
	fireEvent.change(editor, { target: { value: "second, better" } });
	fireEvent.keyDown(editor, { key: "Enter" });
	expect(sent).toEqual([
		{ type: "copilot:queue_move", data: { conversationId: "c1", messageId: "m2", toIndex: 0 } },
		{ type: "copilot:queue_send_now", data: { conversationId: "c1", messageId: "m1" } },
		{ type: "copilot:queue_drop", data: { conversationId: "c1", messageId: "m1" } },
		{ type: "copilot:queue_edit", data: { conversationId: "c1", messageId: "m2", content: "second, better" } },
	]);
});

test("[PG77] a waiting shell result can be shortened or left out before the next prompt", async () => {
	const { sent } = open({ context: [{ messageId: "b1", command: "git log", exitCode: 0, chars: 9_000 }] });
	await screen.findByText("git log");
	fireEvent.click(button("Shorten the result of git log to 2,000 characters"));
	fireEvent.click(button("Leave out the result of git log"));
	expect(sent).toEqual([
		{ type: "bash:context_trim", data: { conversationId: "c1", messageId: "b1", maxChars: 2_000 } },
		{ type: "bash:context_drop", data: { conversationId: "c1", messageId: "b1" } },
	]);
});

test("[PG51] each conversation has its own draft, also after the page was loaded anew", () => {
	const { store, box, write, unmount } = open();
	write("for one");
	act(() => store.setState({ openId: "c2", views: { c1: view(), c2: { ...emptyView("c2") } } }));
	expect(box().value).toBe("");
	write("for two");
	unmount();
	open();
	expect(box().value).toBe("for one");
});

test("[PG50] arrow-up brings back what was said in this conversation, commands included", () => {
	const metadata = { origin: "web" as const };
	const { box } = open({
		messages: [
			{ id: "1", role: "user", content: "hello", metadata, createdAt: "2026-11-15T10:00:00Z" },
			{
				id: "2",
				role: "user",
				content: "[Bash executed by user]\n$ ls\n",
				metadata: { ...metadata, bash: true, command: "ls" },
				createdAt: "2026-11-15T10:01:00Z",
			},
		],
	});
	fireEvent.keyDown(box(), { key: "ArrowUp" });
	expect(box().value).toBe("!ls");
	fireEvent.keyDown(box(), { key: "ArrowUp" });
	expect(box().value).toBe("hello");
});

test("[PG55] a slash opens the list, the arrows choose and Enter runs", async () => {
	const { store, box, write } = open();
	write("/proc");
	fireEvent.select(box());
	expect(within(await screen.findByRole("listbox", { name: "Commands" })).getAllByRole("option")).toHaveLength(1);
	fireEvent.keyDown(box(), { key: "Enter" });
	expect([store.getState().panel, box().value]).toEqual(["processes", ""]);
});

test("[PG1041] skills and commands of the agent stand behind the page's own; chosen, the name waits in the box for what follows", async () => {
	const skill = (name: string) => ({ name, description: `Does ${name}.`, kind: "skill" });
	const commands = [skill("greet"), skill("processes"), { name: "review", description: "", kind: "agent" }];
	const asked: string[] = [];
	vi.stubGlobal("fetch", async (url: string) => {
		if (url.endsWith("/commands")) asked.push(url);
		return Response.json({ commands });
	});
	const { sent, box, write } = open();
	write("/");
	fireEvent.select(box());
	const list = within(await screen.findByRole("listbox", { name: "Commands" }));
	await waitFor(() => expect(list.getByText("Does greet.")).toBeTruthy());
	expect(list.getAllByText("/processes")).toHaveLength(1);
	expect(list.getByText("Have the changes in the working directory reviewed")).toBeTruthy();
	write("/gre");
	fireEvent.keyDown(box(), { key: "Enter" });
	await waitFor(() => expect(box().value).toBe("/greet "));
	expect(screen.queryByRole("listbox")).toBeNull();
	write("/greet Anna");
	fireEvent.keyDown(box(), { key: "Enter" });
	await waitFor(() => expect(sent).toMatchObject([{ data: { prompt: "/greet Anna" } }]));
	expect(asked).toEqual(["/api/conversations/c1/commands"]);
	vi.unstubAllGlobals();
});

test("[PG78] offline the prompt is kept on the device and the box says so", async () => {
	const { store, box, write } = open();
	act(() => store.setState({ connection: { kind: "waiting", since: 0, retryAt: 1 } }));
	write("for later");
	fireEvent.keyDown(box(), { key: "Enter" });
	await waitFor(() => expect(screen.getByText("1 message waits on this device")).toBeTruthy());
	expect(store.getState().outbox.map(({ text, state }) => [text, state])).toEqual([["for later", "sending"]]);
});

test("[PG78] what cannot be sent because no conversation can be begun comes back into the box", async () => {
	vi.stubGlobal("fetch", async () => {
		throw new TypeError("no network");
	});
	const page = createTestPage({ state: { models } });
	renderInPage(page, <Composer />);
	const box = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
	fireEvent.change(box, { target: { value: "do not lose me" } });
	fireEvent.keyDown(box, { key: "Enter" });
	expect(box.value).toBe("");
	await waitFor(() => expect(box.value).toBe("do not lose me"));
	expect(page.store.getState().toasts).toHaveLength(1);
	vi.unstubAllGlobals();
});
