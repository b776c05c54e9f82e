import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import type { FormResponse } from "../../../core/asks/forms.ts";
import { conversationId } from "../../../core/kernel/ids.ts";
import type { MessageContent } from "../api/bot-client.ts";
import { english } from "../messages/english.ts";
import { createAskView } from "./ask-view.ts";
import type { FormTap } from "./form-wizard.ts";

const SCHEMA = {
	type: "object",
	properties: {
		name: { type: "string", title: "Name", description: "As on the door" },
		age: { type: "integer", title: "Age", minimum: 1 },
		size: { type: "string", title: "Size", enum: ["s", "l"], enumNames: ["Small", "Large"] },
		tags: { type: "array", title: "Tags", items: { enum: ["a", "b"] } },
		sure: { type: "boolean", title: "Sure" },
	},
	required: ["name", "sure"],
};
const request = { requestId: "f1", message: "Who signs?", schema: SCHEMA, source: "releases", expiresAt: "2999-01-01T00:00:00Z" };

function open() {
	let buttons: { text: string; action: FormTap }[] = [];
	const shown: MessageContent[] = [];
	const filled: FormResponse[] = [];
	const nothing = () => undefined;
	const view = createAskView({
		conversationId: conversationId("c1"),
		conversations: {
			answer: nothing,
			decide: nothing,
			decidePlan: nothing,
			decideBudget: nothing,
			fillIn: (response) => void filled.push(response),
		},
		writer: {
			send: nothing,
			live: () => ({
				set(content) {
					shown.push(content);
					buttons = drawn.splice(0);
				},
				finish: (content) => void shown.push(content),
				remove: nothing,
				messageId: () => 7,
				mayBeSeen: () => true,
			}),
			button(text, action) {
				if (action.kind === "form") drawn.push({ text, action });
				return { text, callback_data: "x" };
			},
			isSilent: () => false,
		},
		words: () => english,
		redact: (text) => text,
		clock: createFakeClock(),
		onAsking: nothing,
	});
	const drawn: { text: string; action: FormTap }[] = [];
	const tap = (text: string) => {
		const found = buttons.find((button) => button.text.includes(text))?.action;
		if (found === undefined) throw new Error(`no button ${text} among ${buttons.map((button) => button.text).join()}`);
		void view.tapForm(found, "Ann");
	};
	const type = (text: string) => view.answerTyped({ text, repliedTo: undefined, choicesOnly: false }, "Ann");
	return {
		view,
		shown,
		filled,
		tap,
		type,
		text: () => shown.at(-1)?.text ?? "",
	};
}

test("[TG520] a form is asked one field after the other, with buttons where there is something to choose, and goes out whole", () => {
	const { view, filled, tap, type, text } = open();
	view.event({ type: "copilot:form_request", data: request });
	expect(text()).toBe(
		"📝 The MCP server releases asks:\nWho signs?\n\n1/5 Name (needed)\nAs on the door\n\nYour next message is the answer.",
	);
	expect(view.awaitsAnswer(undefined)).toBe(true);
	expect(type("Ada")).toBe("answered");
	expect(type("none")).toBe("answered");
	expect(text()).toContain("⚠️ Age: this is not the kind of value that is asked for.");
	tap("Skip");
	expect([view.awaitsAnswer(undefined), type("hello")]).toEqual([false, "none"]);
	tap("Large");
	tap("b");
	expect(text()).toContain("4/5 Tags");
	tap("☑ b");
	tap("☐ a");
	tap("Done");
	expect(filled).toEqual([]);
	tap("No");
	expect(filled).toEqual([
		{
			...{ conversationId: "c1", requestId: "f1", by: "telegram", from: "Ann", action: "accept" },
			content: { name: "Ada", size: "l", tags: ["a"], sure: false },
		},
	]);
	view.event({ type: "copilot:form_resolved", data: { requestId: "f1", outcome: "answered", action: "accept", by: "telegram" } });
	expect(text()).toContain("✅ Filled in.");
});

test("[TG522] a form can be declined, a page to open is its address, and a button of an earlier field means nothing", () => {
	const { view, filled, tap, type, text } = open();
	view.form(request);
	expect(type("Ada")).toBe("answered");
	const earlier = view.tapForm({ kind: "form", conversationId: "c1", requestId: "f1", step: 0, what: "skip" }, "Ann");
	expect(earlier).toBeUndefined();
	tap("Decline");
	expect(filled).toMatchObject([{ action: "decline" }]);
	view.event({ type: "copilot:form_resolved", data: { requestId: "f1", outcome: "answered", action: "decline", by: "web" } });
	const page = { ...request, requestId: "f2", schema: { type: "object", properties: {} }, url: "https://login.example.org/x" };
	view.form(page);
	expect(text()).toContain("https://login.example.org/x");
	tap("Done");
	expect(filled.at(-1)).toMatchObject({ requestId: "f2", action: "accept", content: {} });
});
