// @vitest-environment happy-dom
import type { AssistantMessage } from "@rightseat/protocol/model/message";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { LanguageProvider } from "../../i18n/use-words.tsx";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { TurnEnding } from "./turn-ending.tsx";

afterEach(cleanup);

test("[PG351] an error in a conversation is in the page's language from the start, before anything else was loaded", () => {
	const failed: AssistantMessage = {
		id: "m1",
		role: "assistant",
		content: "",
		metadata: {
			outcome: "error",
			error: { code: "conversation-not-found", message: "There is no such conversation." },
			parts: [],
			tools: [],
		},
		createdAt: "2026-01-02T03:04:05Z",
	};
	const page = createTestPage({ openId: "c1" });
	expect(page.store.getState().sentences).toBeUndefined();
	renderInPage(
		page,
		<LanguageProvider language="zh-Hant">
			<TurnEnding conversationId="c1" message={failed} newest />
		</LanguageProvider>,
	);
	expect(screen.getByText("這個對話已不存在。")).toBeTruthy();
	expect(screen.queryByText(/no such conversation/)).toBeNull();
});
