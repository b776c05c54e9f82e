// @vitest-environment happy-dom
import { act, cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { Dialog } from "./dialog.tsx";
import { Toaster } from "./toaster.tsx";

afterEach(cleanup);

function Windows({ count }: { count: number }) {
	return (
		<>
			{Array.from({ length: count }, (_, index) => `Window ${index + 1}`).map((title) => (
				<Dialog key={title} open onClose={() => undefined} title={title}>
					<input aria-label={`First of ${title}`} data-first-focus />
				</Dialog>
			))}
			<Toaster />
		</>
	);
}

test("[PG122] a short message stands once, in the uppermost dialog, and on the page when none is open", () => {
	const page = createTestPage();
	page.actions.toast({ kind: "error", text: "That did not work", sticky: true });
	renderInPage(page, <Windows count={2} />);
	expect(screen.getAllByText("That did not work")).toHaveLength(1);
	expect(within(screen.getByRole("dialog", { name: "Window 2" })).getByText("That did not work")).toBeTruthy();
	expect(document.activeElement?.getAttribute("aria-label")).toBe("First of Window 2");
	act(() => cleanup());
	expect(page.store.getState().modals).toBe(0);
	renderInPage(page, <Windows count={0} />);
	expect(screen.getByText("That did not work").closest("dialog")).toBeNull();
});
