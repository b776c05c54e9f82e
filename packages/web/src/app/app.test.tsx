// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AppState } from "../state/app-state.ts";
import { PageProvider } from "../state/use-page.tsx";
import { createTestPage } from "../testing/test-page.tsx";
import { App } from "./app.tsx";

vi.mock("../login/login-page.tsx", () => {
	throw new TypeError("Failed to fetch dynamically imported module");
});
beforeEach(() => {
	sessionStorage.clear();
	vi.stubGlobal("fetch", async () => Response.json({}));
	vi.spyOn(console, "error").mockReturnValue(undefined);
});
afterEach(() => {
	cleanup();
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

function open(state: Partial<AppState>) {
	const page = createTestPage({ state });
	render(
		<PageProvider page={page}>
			<App />
		</PageProvider>,
	);
	return page;
}

test("[PG343] a page that was thrown out says so, and has nothing to type into", async () => {
	const { store } = open({ session: "signed-out", forgetting: true });
	expect(screen.getByRole("status").textContent).toBe("This device was logged out. The login form comes in a moment.");
	expect(screen.queryByRole("textbox")).toBeNull();
	act(() => store.setState({ forgetting: false }));
	expect(screen.queryByText(/comes in a moment/)).toBeNull();
});

test("[PG344] a login form that cannot be loaded leaves a page that can be loaded anew", async () => {
	open({ session: "signed-out" });
	expect(await screen.findByRole("button", { name: "Reload" })).toBeTruthy();
});

test("[PG344] a part that an update renamed is found by loading the page anew, also without a login", () => {
	const reload = vi.spyOn(location, "reload").mockReturnValue(undefined);
	open({ session: "signed-out", forgetting: true });
	const missing = new Event("vite:preloadError", { cancelable: true });
	window.dispatchEvent(missing);
	expect([missing.defaultPrevented, reload.mock.calls.length]).toEqual([true, 1]);
});
