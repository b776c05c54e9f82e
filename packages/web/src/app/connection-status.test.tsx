// @vitest-environment happy-dom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { STATUS_DELAY_MS } from "../connection/policy.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { ConnectionStatus } from "./connection-status.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	cleanup();
	vi.useRealTimers();
});

test("[PG473] Try now comes when a loss has lasted, stays while the page tries again, and goes with the loss", () => {
	const page = createTestPage();
	const become = (connection: ReturnType<typeof page.store.getState>["connection"]) => act(() => page.store.setState({ connection }));
	renderInPage(page, <ConnectionStatus />);
	become({ kind: "open", since: 0 });
	const button = () => screen.queryByRole("button", { name: "Try now" });
	become({ kind: "waiting", since: 0, retryAt: 1 });
	expect(button()).toBeNull();
	act(() => vi.advanceTimersByTime(STATUS_DELAY_MS));
	const first = button();
	expect(first).not.toBeNull();
	become({ kind: "connecting", since: 0 });
	become({ kind: "waiting", since: 0, retryAt: 2 });
	expect(button()).toBe(first);
	become({ kind: "open", since: 0 });
	expect(button()).toBeNull();
});
