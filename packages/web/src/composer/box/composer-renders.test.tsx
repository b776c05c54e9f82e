// @vitest-environment happy-dom
import { act, cleanup } from "@testing-library/react";
import { Profiler } from "react";
import { afterEach, expect, test } from "vitest";
import { emptyView } from "../../conversation/conversation-view.ts";
import { testConversation } from "../../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { Composer } from "./composer.tsx";

afterEach(cleanup);

test("[PG94] the words of a running answer do not draw the composer again", () => {
	const models = { models: [], default: "" };
	const view = { ...emptyView("c1"), epoch: "e1", status: "streaming" as const };
	const page = createTestPage({ conversations: [testConversation()], openId: "c1", state: { models, views: { c1: view } } });
	let renders = 0;
	renderInPage(
		page,
		<Profiler id="composer" onRender={() => renders++}>
			<Composer />
		</Profiler>,
	);
	const before = renders;
	for (let seq = 1; seq <= 20; seq++) act(() => page.store.setState({ views: { c1: { ...view, lastSeq: seq } } }));
	expect(renders).toBe(before);
});
