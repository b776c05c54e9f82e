// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { PairedCard } from "./paired-card.tsx";

let worker: object | undefined;
beforeEach(() => {
	worker = undefined;
	vi.stubGlobal("matchMedia", () => ({ matches: false }));
	vi.stubGlobal("PushManager", class {});
	vi.stubGlobal("Notification", { permission: "default", requestPermission: async () => "granted" });
	Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: { getRegistration: async () => worker } });
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	Reflect.deleteProperty(navigator, "serviceWorker");
	history.replaceState(null, "", "/");
});
const show = () => renderInPage(createTestPage(), <PairedCard />);

test("[RC40] the card offers what the browser can: installing by its own dialog, notifications by a click, and goes when it is done", async () => {
	history.replaceState({ loginLink: true, paired: true }, "", "/");
	show();
	await screen.findByRole("region", { name: "This device is paired" });
	expect(screen.getByText(/the browser's menu/)).toBeDefined();
	let prompted = 0;
	const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
		prompt: async () => {
			prompted += 1;
		},
	});
	act(() => void dispatchEvent(offer));
	fireEvent.click(screen.getByRole("button", { name: "Install" }));
	expect([prompted, offer.defaultPrevented]).toEqual([1, true]);
	act(() => void dispatchEvent(new Event("appinstalled")));
	expect(screen.getByText(/^Installed/)).toBeDefined();
	fireEvent.click(screen.getByRole("button", { name: "Done" }));
	expect([screen.queryByRole("region"), history.state]).toEqual([null, null]);
});

test("[RC40] a device that cannot is told why: blocked, not able, or a certificate that it does not trust", async () => {
	show();
	// The browser was told to go on past a bad certificate: it takes no worker.
	fireEvent.click(await screen.findByRole("button", { name: "Notify me" }));
	await waitFor(() => expect(screen.getByRole("status").textContent).toMatch(/does not trust the certificate yet/));
	cleanup();
	vi.stubGlobal("Notification", { permission: "denied" });
	show();
	expect((await screen.findByRole("status")).textContent).toMatch(/blocks notifications/);
	cleanup();
	Reflect.deleteProperty(navigator, "serviceWorker");
	show();
	expect((await screen.findByRole("status")).textContent).toMatch(/cannot notify here/);
});
