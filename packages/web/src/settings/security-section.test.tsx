// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CHALLENGE, stubAuthenticator } from "../testing/fake-authenticator.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { SecuritySection } from "./security-section.tsx";

const CREATION = {
	challenge: CHALLENGE,
	rp: { id: "localhost", name: "Rightseat" },
	user: { id: "b3duZXI", name: "owner", displayName: "" },
	pubKeyCredParams: [{ type: "public-key", alg: -7 }],
	timeout: 60_000,
	excludeCredentials: [],
	authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
};
const PHONE = { id: "key/0", name: "Phone", host: "localhost", createdAt: "2026-02-03T10:00:00.000Z" };

let changes: { call: string; body: unknown }[];
let server: { password: boolean; passkeys: object[] };
beforeEach(() => {
	changes = [];
	server = { password: false, passkeys: [] };
	vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
		const call = `${method} ${path}`;
		if (call === "GET /api/login-methods") return Response.json({ token: true, password: server.password, passkey: false });
		if (call === "GET /api/lock") return Response.json({ open: waysIn() });
		if (call === "GET /api/mcp-tokens") return Response.json({ tokens: [] });
		if (call === "GET /api/passkeys") return Response.json({ passkeys: server.passkeys });
		if (call === "POST /api/passkeys/options") return Response.json(CREATION);
		changes.push({ call, body: typeof body === "string" ? JSON.parse(body) : undefined });
		if (call === "POST /api/password") server.password = true;
		if (call === "DELETE /api/password") server.password = false;
		if (call === "POST /api/lock") server = { password: false, passkeys: [] };
		if (call === "POST /api/passkeys") server.passkeys = [PHONE];
		if (call.startsWith("DELETE /api/passkeys/")) server.passkeys = [];
		return new Response(null, { status: 204 });
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const waysIn = () => ({
	devices: server.password ? 2 : 0,
	password: server.password,
	passkeys: server.passkeys.map(() => "Phone"),
	notifications: server.password ? 1 : 0,
	telegram: server.password ? ["Mallory"] : [],
	telegramFixed: ["Owner"],
	mcp: [],
});
const show = () => {
	const page = createTestPage();
	renderInPage(page, <SecuritySection />);
	return page;
};
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("[PG100] a password is set, changed and removed, and the state is always in words", async () => {
	show();
	await screen.findByText("No password is set.");
	const box = screen.getByLabelText("New password");
	fireEvent.change(box, { target: { value: "too short" } });
	press("Set the password");
	expect(screen.getByText("A password has at least 10 characters.").getAttribute("role")).toBe("alert");
	expect([box.getAttribute("aria-invalid"), changes]).toEqual(["true", []]);
	fireEvent.change(box, { target: { value: "correct horse" } });
	press("Set the password");
	await screen.findByText("A password is set.");
	expect(changes).toEqual([{ call: "POST /api/password", body: { password: "correct horse" } }]);
	expect(screen.getByText("Saved. Every other device was logged out.")).toBeDefined();
	press("Remove the password");
	press("Remove");
	await screen.findByText("No password is set.");
	expect(changes[1]).toEqual({ call: "DELETE /api/password", body: undefined });
});

test("[PG100] a refusal of the server is shown beside the box", async () => {
	show();
	await screen.findByText("No password is set.");
	vi.stubGlobal("fetch", async () => Response.json({ error: { code: "rate-limited", message: "Busy." } }, { status: 429 }));
	fireEvent.change(screen.getByLabelText("New password"), { target: { value: "correct horse" } });
	press("Set the password");
	await screen.findByText("That did not work: Busy.");
});

test("[PG101] a passkey is made by the browser, listed with its name and date, and removed after a question", async () => {
	const asked = stubAuthenticator();
	show();
	await screen.findByText("There is no passkey yet.");
	fireEvent.change(screen.getByRole("textbox", { name: "Name of the new passkey" }), { target: { value: "Phone" } });
	press("Add a passkey");
	const list = await screen.findByRole("list", { name: "Passkeys" });
	expect(within(list).getByText("Added Feb 3, 2026 for localhost")).toBeDefined();
	expect(asked).toEqual([{ challenge: "challenge" }]);
	expect(changes).toEqual([
		{
			call: "POST /api/passkeys",
			body: {
				name: "Phone",
				response: {
					id: "key-1",
					rawId: "a2V5LTE",
					type: "public-key",
					response: { clientDataJSON: "Y2xpZW50", attestationObject: "YXR0ZXN0YXRpb24" },
				},
			},
		},
	]);
	press("Remove Phone");
	expect(document.activeElement?.textContent).toBe("Cancel");
	press("Cancel");
	expect(document.activeElement?.getAttribute("aria-label")).toBe("Remove Phone");
	press("Remove Phone");
	press("Remove");
	await screen.findByText("There is no passkey yet.");
	expect(changes[1]?.call).toBe("DELETE /api/passkeys/key%2F0");
});

test("[PG101] a closed question of the browser adds nothing and says so, as does a device that has one", async () => {
	const behaviour = { refuse: "NotAllowedError" };
	stubAuthenticator(behaviour);
	show();
	await screen.findByText("There is no passkey yet.");
	press("Add a passkey");
	await screen.findByText(/No passkey was added/);
	behaviour.refuse = "InvalidStateError";
	await waitFor(() => press("Add a passkey"));
	await screen.findByText("This device has a passkey for this page already.");
	expect(changes).toEqual([]);
});

test("[PG101] where passkeys cannot work the page says where they do", async () => {
	show();
	await screen.findByText(/Open this page under localhost/);
	expect(screen.queryByRole("button", { name: "Add a passkey" })).toBeNull();
});

test("[PG102] a new access token is asked about, says what happens, and leads to the login form", async () => {
	const { store } = show();
	press("Replace the access token");
	expect(screen.getByText(/every device is logged out, this one too/)).toBeDefined();
	expect(changes).toEqual([]);
	press("Replace and log out everywhere");
	await waitFor(() => expect(store.getState().session).toBe("signed-out"));
	expect(changes.map(({ call }) => call)).toEqual(["POST /api/token/rotate", "POST /api/logout"]);
});

test("[SE114] what is open is listed, and one button closes all of it after a question", async () => {
	server = { password: true, passkeys: [PHONE] };
	show();
	const list = await screen.findByRole("list", { name: "Open ways in" });
	expect(
		within(list)
			.getAllByRole("listitem")
			.map(({ textContent }) => textContent),
	).toEqual([
		"2 other devices are logged in",
		"A password is set",
		"Passkey: Phone",
		"1 browser gets notifications",
		"Paired on Telegram: Mallory",
		"Named in TELEGRAM_ALLOWED_USERS: Owner. Only the configuration closes this one.",
	]);
	press("Lock everything");
	expect(changes).toEqual([]);
	expect(screen.getByRole("group", { name: "Lock everything" }).textContent).toContain("This device stays logged in.");
	press("Lock everything now");
	await screen.findByText("Locked. Only this device is logged in.");
	expect(changes).toEqual([{ call: "POST /api/lock", body: undefined }]);
	await screen.findByText("No password is set.");
	await waitFor(() => expect(within(list).getAllByRole("listitem")).toHaveLength(2));
});
