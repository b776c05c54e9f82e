// @vitest-environment happy-dom
import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ErrorBoundary } from "./error-boundary.tsx";
import { LazyView } from "./lazy-view.tsx";

const View = () => <p>the part</p>;
const found = async () => ({ View });
const missing = () => Promise.reject(new Error("This part is gone."));

test("[PG134] a part stands there as soon as its code has come, without a rest after its fallback", async () => {
	render(<LazyView load={found} fallback={<p>on its way</p>} />);
	expect(screen.getByText("on its way")).toBeTruthy();
	await act(async () => undefined);
	expect(screen.getByText("the part")).toBeTruthy();
});

test("[PG134] a part whose code does not come is a broken part, not an empty place", async () => {
	render(
		<ErrorBoundary fallback={<p>broken</p>}>
			<LazyView load={missing} />
		</ErrorBoundary>,
	);
	await act(async () => undefined);
	expect(screen.getByText("broken")).toBeTruthy();
});
