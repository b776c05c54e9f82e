// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SETTLING_MS, useSettling } from "./use-settling.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	cleanup();
	vi.useRealTimers();
});
const Asks = ({ ids }: { ids: readonly string[] }) => <output>{String(useSettling(ids))}</output>;
const isSettling = () => screen.getByRole("status").textContent === "true";
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

test("[PG1084] for a moment after a request has come or gone nothing takes a press, and at first everything does", () => {
	const { rerender } = render(<Asks ids={["a", "b"]} />);
	expect(isSettling()).toBe(false);
	rerender(<Asks ids={["b"]} />);
	expect(isSettling()).toBe(true);
	wait(SETTLING_MS - 1);
	expect(isSettling()).toBe(true);
	rerender(<Asks ids={["b", "c"]} />);
	wait(SETTLING_MS - 1);
	expect(isSettling()).toBe(true);
	wait(1);
	expect(isSettling()).toBe(false);
	rerender(<Asks ids={["b", "c"]} />);
	expect(isSettling()).toBe(false);
});
