// @vitest-environment happy-dom
import type { UserMessage } from "@rightseat/protocol/model/message";
import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { emptyView } from "../../conversation/conversation-view.ts";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { useReveal } from "./use-reveal.ts";

const NOW = new Date(0).toISOString();

afterEach(() => {
	cleanup();
	history.replaceState(null, "", "/");
});

test("[PG262] the message of a search result is scrolled to once, not again whenever its conversation is opened", () => {
	const message: UserMessage = { id: "m4", role: "user", content: "the build failed", metadata: { origin: "web" }, createdAt: NOW };
	const views = { c1: { ...emptyView("c1"), epoch: "e1", messages: [message] } };
	const page = createTestPage({ state: { views } });
	const shown: string[] = [];
	act(() => page.actions.openConversation("c1", { messageId: "m4" }));
	// The address bar follows and opens the same conversation a second time.
	act(() => page.actions.openConversation("c1"));
	renderInPage(page, <Log shown={shown} />);
	cleanup();
	renderInPage(page, <Log shown={shown} />);
	expect(shown).toEqual(["m4"]);
});

test("[PG262] whoever goes elsewhere before the message came does not find it on the way back", () => {
	const page = createTestPage();
	page.actions.openConversation("c1", { messageId: "m4" });
	page.actions.openConversation("c2");
	expect(page.store.getState().reveal).toBeUndefined();
});

function Log({ shown }: { shown: string[] }) {
	useReveal("c1", (key) => shown.push(key) > 0);
	return null;
}
