// @vitest-environment happy-dom
import type { Message } from "@rightseat/protocol/model/message";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { emptyView } from "../conversation/conversation-view.ts";
import { testConversation } from "../sidebar/test-conversation.ts";
import { testChange } from "../testing/review-server.tsx";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { AnswerFooter } from "../transcript/cards/answer-footer.tsx";
import { Prompt } from "../transcript/cards/prompt.tsx";
import { ForkDialog } from "./fork-dialog.tsx";
import { ForkLinks } from "./fork-links.tsx";

afterEach(() => {
	cleanup();
	localStorage.clear();
	vi.unstubAllGlobals();
});

const at = (minute: number) => `2026-11-17T02:0${minute}:00.000Z`;
const asked = (id: string, content: string, minute: number): Extract<Message, { role: "user" }> => ({
	...{ id, role: "user", content, createdAt: at(minute), metadata: { origin: "web" } },
});
const answered = (id: string, content: string, minute: number): Extract<Message, { role: "assistant" }> => ({
	...{ id, role: "assistant", content, createdAt: at(minute), metadata: { outcome: "completed", tools: [], parts: [] } },
});
const MESSAGES = [asked("u1", "one", 0), answered("a1", "first", 1), asked("u2", "two", 2), answered("a2", "second", 3)] as const;

/** A page over a server that answers what is asked about forks, and notes what it is told. */
function openPage(conversations = [testConversation()]) {
	const posted: { path: string; body: unknown }[] = [];
	const fork = testConversation({ id: "c2", title: "one (2)", forkedFrom: { conversationId: "c1", messageId: "u2" } });
	const changes = [testChange("a2", { at: at(3) }), testChange("old", { at: at(1) }), testChange("gone", { at: at(3), undone: true })];
	vi.stubGlobal("fetch", async (url: string, options: RequestInit = {}) => {
		const path = new URL(url, "http://x").pathname.replace("/api/conversations/", "");
		if (options.method === "POST") posted.push({ path, body: JSON.parse(String(options.body)) });
		if (path.endsWith("/fork")) return Response.json({ conversation: fork }, { status: 201 });
		if (path.endsWith("/forks")) return Response.json({ conversations: [fork] });
		if (path.endsWith("/changes")) return Response.json({ changes });
		if (path.endsWith("/undo")) return Response.json({ files: [{ path: "a.ts", result: "restored" }] });
		return Response.json({ conversation: testConversation({ title: "one" }) });
	});
	const view = { ...emptyView("c1"), epoch: "e1", messages: [...MESSAGES] };
	const page = createTestPage({ conversations, openId: conversations[0]?.id ?? "c1", state: { views: { c1: view } } });
	return { page, posted };
}

test("[PG920] a prompt is edited and goes on in a fork before it, with what was changed in files since shown and undone if wanted", async () => {
	const { page, posted } = openPage();
	renderInPage(
		page,
		<>
			<Prompt conversationId="c1" message={MESSAGES[2]} />
			<ForkDialog />
		</>,
	);
	fireEvent.click(screen.getByRole("button", { name: "Edit and go on" }));
	const dialog = await screen.findByRole("dialog", { name: "Edit and go on" });
	const box = within(dialog).getByRole("textbox", { name: "Prompt for the fork" });
	expect(box).toHaveProperty("value", "two");
	await within(dialog).findByText("1 change of files since then");
	fireEvent.click(within(dialog).getByRole("button", { name: "Take them back…" }));
	await screen.findByText("as before");
	expect(posted).toEqual([{ path: "c1/changes/a2/undo", body: { preview: true } }]);
	fireEvent.change(box, { target: { value: "two, edited" } });
	fireEvent.click(within(dialog).getByRole("button", { name: "Fork" }));
	await waitFor(() => expect(page.store.getState().openId).toBe("c2"));
	expect(posted.at(-1)).toEqual({
		path: "c1/fork",
		body: { beforeMessageId: "u2", prompt: "two, edited", clientMessageId: expect.any(String) },
	});
	expect(screen.queryByRole("dialog", { name: "Edit and go on" })).toBeNull();
});

test("[PG921] an answer is forked after it: before the next message, or with everything when it is the newest", async () => {
	for (const [message, before] of [
		[MESSAGES[1], { beforeMessageId: "u2" }],
		[MESSAGES[3], {}],
	] as const) {
		const { page, posted } = openPage();
		renderInPage(
			page,
			<>
				<AnswerFooter conversationId="c1" message={message} partial={false} />
				<ForkDialog />
			</>,
		);
		fireEvent.click(screen.getByRole("button", { name: "Fork from here" }));
		fireEvent.click(await screen.findByRole("button", { name: "Fork" }));
		await waitFor(() => expect(page.store.getState().openId).toBe("c2"));
		expect(posted.at(-1)?.body).toEqual({ ...before, clientMessageId: expect.any(String) });
		cleanup();
	}
});

test("[PG922] a fork and its source lead to each other, the fork to the message", async () => {
	const source = openPage([testConversation({ forks: 1 })]);
	renderInPage(source.page, <ForkLinks />);
	fireEvent.click(await screen.findByRole("link", { name: "one (2)" }));
	expect(source.page.store.getState().openId).toBe("c2");
	cleanup();
	const fork = openPage([testConversation({ id: "c2", forkedFrom: { conversationId: "c1", messageId: "u2" } })]);
	renderInPage(fork.page, <ForkLinks />);
	fireEvent.click(await screen.findByRole("link", { name: "one" }));
	expect(fork.page.store.getState()).toMatchObject({ openId: "c1", reveal: { conversationId: "c1", messageId: "u2" } });
});
