// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyView } from "../../conversation/conversation-view.ts";
import { CONVERSATION, createScript, snapshot } from "../../testing/frames.ts";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { ConversationLog } from "../log/conversation-log.tsx";

beforeEach(() => localStorage.clear());
afterEach(cleanup);

async function open() {
	const page = createTestPage({ openId: CONVERSATION, state: { views: { [CONVERSATION]: emptyView(CONVERSATION) } } });
	await act(async () => page.actions.openConversation(CONVERSATION));
	renderInPage(page, <ConversationLog conversationId={CONVERSATION} />);
	const receive: typeof page.receive = (...frames) => act(() => page.receive(...frames));
	receive(snapshot());
	page.sent.length = 0;
	const script = createScript();
	receive(script.user({ messageId: "u1" }), script.begin());
	return { ...page, receive, script };
}

const SCHEMA = {
	type: "object",
	properties: {
		name: { type: "string", title: "Name", description: "As on the door", minLength: 2 },
		age: { type: "integer", title: "Age", minimum: 1 },
		size: { type: "string", title: "Size", oneOf: [{ const: "s", title: "Small" }] },
		tags: { type: "array", title: "Tags", items: { enum: ["a", "b"] } },
		sure: { type: "boolean", title: "Sure", default: true },
	},
	required: ["name"],
};

test("[PG1030] a form is drawn from its schema with who asks, says beside a field what is wrong with it, and sends what fits", async () => {
	const { receive, script, sent } = await open();
	receive(script.form("f1", SCHEMA));
	const form = within(await screen.findByRole("form", { name: "Form" }));
	expect(form.getByText("The MCP server releases asks:")).toBeTruthy();
	expect(form.getByText("Who signs?")).toBeTruthy();
	const name = form.getByRole<HTMLInputElement>("textbox", { name: "Name (needed)" });
	fireEvent.click(form.getByRole("button", { name: "Send" }));
	expect(form.getAllByRole("alert").map(({ textContent }) => textContent)).toContain("Name: this is needed.");
	expect(name.getAttribute("aria-invalid")).toBe("true");
	expect(document.activeElement).toBe(name);
	expect(sent).toEqual([]);
	fireEvent.change(name, { target: { value: "Ada" } });
	expect(form.queryByText("Name: this is needed.")).toBeNull();
	fireEvent.change(form.getByRole("spinbutton", { name: "Age" }), { target: { value: "41" } });
	fireEvent.change(form.getByRole("combobox", { name: "Size" }), { target: { value: "s" } });
	fireEvent.click(within(form.getByRole("group", { name: "Tags" })).getByRole("checkbox", { name: "b" }));
	fireEvent.click(form.getByRole("checkbox", { name: "Sure" }));
	fireEvent.click(form.getByRole("button", { name: "Send" }));
	const content = { name: "Ada", age: 41, size: "s", tags: ["b"], sure: false };
	expect(sent).toEqual([
		{ type: "copilot:form_response", data: { conversationId: CONVERSATION, requestId: "f1", action: "accept", content } },
	]);
});

test("[PG1031] a form can be declined or put off, and is gone when it is settled anywhere, with a note of what was done", async () => {
	const { receive, script, sent } = await open();
	receive(script.form("f1", SCHEMA));
	fireEvent.click(await screen.findByRole("button", { name: "Decline" }));
	fireEvent.click(screen.getByRole("button", { name: "Not now" }));
	expect(sent.map((frame) => frame.type === "copilot:form_response" && frame.data.action)).toEqual(["decline", "cancel"]);
	receive(script.filledIn("f1"));
	expect(screen.queryByRole("form", { name: "Form" })).toBeNull();
	expect(screen.getByText("Answered on Telegram: filled in")).toBeTruthy();
});

test("[PG1032] a page to open is a link that names its host, and nothing opens it but a person", async () => {
	const { receive, script, sent } = await open();
	receive(script.form("f1", { type: "object", properties: {} }, { url: "https://login.example.org/x?y=1" }));
	const link = await screen.findByRole<HTMLAnchorElement>("link", { name: "Open the page at login.example.org" });
	expect([link.href, link.target, link.rel]).toEqual(["https://login.example.org/x?y=1", "_blank", "noopener noreferrer"]);
	fireEvent.click(screen.getByRole("button", { name: "Done" }));
	expect(sent).toMatchObject([{ data: { action: "accept", content: {} } }]);
});
