// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useUi } from "../../state/ui-slice.tsx";
import { createTestPage, renderInPage } from "../../testing/test-page.tsx";
import { ChangesLine } from "./changes-line.tsx";

afterEach(cleanup);

const Scope = () => <output>{JSON.stringify(useUi((state) => state.review))}</output>;
function draw(changes: Parameters<typeof ChangesLine>[0]["changes"]) {
	const page = createTestPage({ openId: "c1" });
	renderInPage(
		page,
		<>
			<ChangesLine changes={changes} />
			<Scope />
		</>,
	);
	return page;
}

test("[PG500] what changed files says how many and how much, and opens the panel at that change", () => {
	const page = draw({ changeId: "t1", files: 3, added: 40, removed: 12 });
	const line = screen.getByRole("button");
	expect(line.textContent).toBe("3 files+40−12");
	fireEvent.click(line);
	expect([page.store.getState().panel, screen.getByRole("status").textContent]).toEqual(["review", '{"kind":"change","changeId":"t1"}']);
});

test("[PG500] it says what was undone and what is not covered, and nothing when nothing changed", () => {
	draw({ changeId: "t1", files: 1, added: 1, removed: 0, undone: true, notCovered: 2 });
	expect(screen.getByRole("button").textContent).toBe("1 file+1undone2 not covered");
	cleanup();
	draw(undefined);
	draw({ changeId: "t1", files: 0, added: 0, removed: 0 });
	expect(screen.queryByRole("button")).toBeNull();
});
