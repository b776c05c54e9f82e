import type { Page } from "playwright-core";

/** Gives the page's browser a device that makes passkeys and confirms the person without a click. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("WebAuthn.enable");
	await devtools.send("WebAuthn.addVirtualAuthenticator", {
		options: {
			protocol: "ctap2",
			transport: "internal",
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
			automaticPresenceSimulation: true,
		},
	});
}
