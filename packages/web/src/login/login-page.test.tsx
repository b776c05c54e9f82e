// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { LoginPage } from "./login-page.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	history.replaceState(null, "", "/");
});

const answer = (status: number, headers: Record<string, string> = {}) => {
	const requests: unknown[] = [];
	vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
		if (path === "/api/login-methods") return Response.json({ token: true, password: false, passkey: false });
		requests.push(init.body);
		if (status === 204) return new Response(null, { status });
		return Response.json({ error: { code: "no", message: "no" } }, { status, headers });
	});
	return requests;
};
const box = () => screen.getByRole("textbox", { name: "Access token" });

test("[PG82] the access token logs in, without the spaces around it", async () => {
	const requests = answer(204);
	const { store, ...page } = createTestPage({ state: { session: "signed-out" } });
	renderInPage({ store, ...page }, <LoginPage />);
	fireEvent.change(box(), { target: { value: " secret \n" } });
	fireEvent.click(screen.getByRole("button", { name: "Log in" }));
	await waitFor(() => expect(store.getState().session).toBe("signed-in"));
	expect(requests).toEqual(['{"token":"secret"}']);
});

test("[PG82] a refusal says what to do: a wrong token, too many attempts, a used link", async () => {
	answer(401);
	const page = createTestPage({ state: { session: "signed-out" } });
	const { unmount } = renderInPage(page, <LoginPage />);
	fireEvent.change(box(), { target: { value: "wrong" } });
	fireEvent.click(screen.getByRole("button", { name: "Log in" }));
	await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("not right"));
	answer(429, { "retry-after": "42" });
	fireEvent.click(screen.getByRole("button", { name: "Log in" }));
	await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("42 seconds"));
	unmount();
	history.replaceState({ loginLink: true }, "", "/");
	renderInPage(page, <LoginPage />);
	expect(screen.getByRole("alert").textContent).toContain("used already");
});

test("[PG82] a login link pasted into the open form logs in and leaves the address", async () => {
	const requests = answer(204);
	const page = createTestPage({ state: { session: "signed-out" } });
	renderInPage(page, <LoginPage />);
	history.replaceState(null, "", "/#code=once");
	window.dispatchEvent(new Event("hashchange"));
	await waitFor(() => expect(page.store.getState().session).toBe("signed-in"));
	expect([requests, location.hash]).toEqual([['{"code":"once"}'], ""]);
});

test("[PG320] any other refusal is said in the page's own words", async () => {
	const page = createTestPage({ state: { session: "signed-out" } });
	vi.stubGlobal("fetch", async () => Response.json({ error: { code: "internal", message: "boom" } }, { status: 500 }));
	renderInPage(page, <LoginPage />);
	await waitFor(() => expect(page.store.getState().sentences).toBeDefined());
	fireEvent.change(box(), { target: { value: "secret" } });
	fireEvent.click(screen.getByRole("button", { name: "Log in" }));
	await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("Something went wrong on the server."));
});
