// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { CHALLENGE, stubAuthenticator } from "../testing/fake-authenticator.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { LoginPage } from "./login-page.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** A server that knows these ways in, and lets in or not. */
function open(methods: { password: boolean; passkey: boolean }, status = 204) {
	const logins: unknown[] = [];
	vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
		if (path === "/api/login-methods") return Response.json({ token: true, ...methods });
		if (path === "/api/login/passkey/options") {
			return Response.json({ challenge: CHALLENGE, rpId: "localhost", timeout: 60_000, userVerification: "required" });
		}
		logins.push([path, JSON.parse(String(body))]);
		if (status === 204) return new Response(null, { status });
		return Response.json({ error: { code: "unauthorized", message: "no" } }, { status });
	});
	const page = createTestPage({ state: { session: "signed-out" } });
	renderInPage(page, <LoginPage />);
	return { logins, session: () => page.store.getState().session };
}

test("[PG103] without a password or passkey there is only the token", async () => {
	const { logins } = open({ password: false, passkey: false });
	await waitFor(() => expect(screen.getByRole("textbox", { name: "Access token" })).toBe(document.activeElement));
	expect(screen.queryByText("Other ways")).toBeNull();
	expect(logins).toEqual([]);
});

test("[PG103] a password logs in; the token stays first, has the focus and alone is called Log in", async () => {
	const { logins, session } = open({ password: true, passkey: true });
	const box = await screen.findByLabelText("Password");
	expect(screen.getAllByRole("button", { name: /^Log in/ })).toHaveLength(1);
	expect(screen.getByRole("textbox")).toBe(document.activeElement);
	expect(screen.queryByRole("button", { name: "Use a passkey" })).toBeNull();
	fireEvent.click(screen.getByRole("button", { name: "Use the password" }));
	expect(screen.getByText("Type the password first.")).toBeDefined();
	fireEvent.change(box, { target: { value: "correct horse" } });
	fireEvent.click(screen.getByRole("button", { name: "Use the password" }));
	await waitFor(() => expect(session()).toBe("signed-in"));
	expect(logins).toEqual([["/api/login", { password: "correct horse" }]]);
});

test("[PG103] a wrong password is named as such", async () => {
	open({ password: true, passkey: false }, 401);
	fireEvent.change(await screen.findByLabelText("Password"), { target: { value: "wrong" } });
	fireEvent.click(screen.getByRole("button", { name: "Use the password" }));
	await screen.findByText(/This password is not right/);
});

test("[PG103] a passkey signs the challenge of the server and logs in", async () => {
	const asked = stubAuthenticator();
	const { logins, session } = open({ password: false, passkey: true });
	fireEvent.click(await screen.findByRole("button", { name: "Use a passkey" }));
	await waitFor(() => expect(session()).toBe("signed-in"));
	const response = { clientDataJSON: "Y2xpZW50", authenticatorData: "ZGF0YQ", signature: "c2lnbmF0dXJl" };
	expect(asked).toEqual([{ challenge: "challenge" }]);
	expect(logins).toEqual([["/api/login/passkey", { response: { id: "key-1", rawId: "a2V5LTE", type: "public-key", response } }]]);
});

test("[PG103] a closed question of the browser and an unknown passkey say what to do", async () => {
	const behaviour: { refuse?: string } = { refuse: "NotAllowedError" };
	stubAuthenticator(behaviour);
	open({ password: false, passkey: true }, 401);
	fireEvent.click(await screen.findByRole("button", { name: "Use a passkey" }));
	await screen.findByText(/found no passkey/);
	delete behaviour.refuse;
	fireEvent.click(await screen.findByRole("button", { name: "Use a passkey" }));
	await screen.findByText(/no longer known here/);
});
