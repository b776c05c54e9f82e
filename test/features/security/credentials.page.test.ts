import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { type PageHarness, startPage } from "../../support/page-harness.ts";
import { addVirtualAuthenticator } from "../../support/virtual-authenticator.ts";

const PASSWORD = "correct horse battery";

let ui: PageHarness;
let localhost: string;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
	localhost = `http://localhost:${ui.server().port}/?lang=en`;
});
afterAll(() => ui.close());

const tokenBox = (page: Page) => page.getByRole("textbox", { name: "Access token" });
const settings = (page: Page) => page.getByRole("dialog", { name: "Settings" });

async function logInWithToken(page: Page, token = ui.server().token): Promise<void> {
	await tokenBox(page).fill(token);
	await page.getByRole("button", { name: "Log in" }).click();
	await inside(page);
}
const inside = (page: Page) => page.getByRole("textbox", { name: "Message" }).waitFor();

async function openSecurity(page: Page): Promise<void> {
	await page.getByRole("button", { name: "Settings" }).click();
	await settings(page).getByRole("button", { name: "Security" }).click();
	await expect.poll(() => settings(page).getByText("Loading…").count()).toBe(0);
}

async function logOut(page: Page): Promise<void> {
	await settings(page).getByRole("button", { name: "Devices" }).click();
	await page.getByRole("button", { name: "Log out here" }).click();
	await tokenBox(page).waitFor();
}

test("[PG111] text does not become markup or script, not even through a library, and the page's own workers start", async () => {
	const { page, problems, close } = await ui.open("/");
	await inside(page);
	const refused = await page.evaluate(() => {
		const attempts = [
			() => {
				document.createElement("div").innerHTML = "<b>x</b>";
			},
			() => document.createElement("script").setAttribute("src", "/attachment.js"),
			() => new Worker("/api/attachments/1"),
		];
		return attempts.map((attempt) => {
			try {
				attempt();
				return "passed";
			} catch {
				return "refused";
			}
		});
	});
	expect(refused).toEqual(["refused", "refused", "refused"]);
	await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state)).toBe("activated");
	await page.getByRole("textbox", { name: "Message" }).fill("show me code");
	expect(problems.filter((problem) => !/TrustedScriptURL|TrustedHTML|trusted types|require-trusted-types-for/i.test(problem))).toEqual([]);
	await close();
});

test("[PG100] [PG103] a password is set in the settings and logs in from then on", async () => {
	const { page, close } = await ui.openStranger(localhost);
	await logInWithToken(page);
	await openSecurity(page);
	await settings(page).getByText("No password is set.").waitFor();
	await settings(page).getByLabel("New password").fill(PASSWORD);
	await page.getByRole("button", { name: "Set the password" }).click();
	await settings(page).getByText("A password is set.").waitFor();
	await logOut(page);
	await page.getByLabel("Password", { exact: true }).fill("wrong password");
	await page.keyboard.press("Enter");
	await page.getByRole("alert").filter({ hasText: "This password is not right" }).waitFor();
	await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
	await page.keyboard.press("Enter");
	await inside(page);
	await openSecurity(page);
	await page.getByRole("button", { name: "Remove the password" }).click();
	await page.getByRole("button", { name: "Remove", exact: true }).click();
	await settings(page).getByText("No password is set.").waitFor();
	const asked = page.waitForResponse("**/api/login-methods");
	await logOut(page);
	expect(await (await asked).json()).toEqual({ token: true, password: false, passkey: false });
	expect(await page.getByText("Other ways").count()).toBe(0);
	await close();
});

test("[PG101] [PG103] [PG88] a passkey is added in the settings and logs in; the screens are for everyone", async () => {
	const { page, close } = await ui.openStranger(localhost);
	await addVirtualAuthenticator(page);
	await logInWithToken(page);
	await openSecurity(page);
	await settings(page).getByLabel("New password").fill(PASSWORD);
	await page.getByRole("button", { name: "Set the password" }).click();
	await page.getByRole("textbox", { name: "Name of the new passkey" }).fill("Test key");
	await page.getByRole("button", { name: "Add a passkey" }).click();
	await settings(page).getByText("Test key can log in now.").waitFor();
	await page.getByRole("button", { name: "Add a passkey" }).click();
	await settings(page).getByText("has a passkey for this page already").waitFor();
	await page.getByRole("button", { name: "Remove Test key" }).click();
	expect(await seriousFindings(page, { part: "dialog" })).toEqual([]);
	await page.getByRole("button", { name: "Cancel" }).click();
	await logOut(page);
	await page.getByRole("button", { name: "Use a passkey" }).waitFor();
	expect(await page.getByRole("button", { name: "Log in" }).count()).toBe(1);
	expect(await seriousFindings(page)).toEqual([]);
	await page.getByRole("button", { name: "Use a passkey" }).click();
	await inside(page);

	await openSecurity(page);
	await page.getByRole("button", { name: "Remove Test key" }).click();
	await page.getByRole("button", { name: "Remove", exact: true }).click();
	await settings(page).getByText("There is no passkey yet.").waitFor();
	await close();
});

test("[PG101] under a bare address the page says where passkeys work", async () => {
	const { page, close } = await ui.open("/?lang=en");
	await openSecurity(page);
	await settings(page).getByText("Open this page under localhost").waitFor();
	expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
	await close();
});

test("[PG103] when the other ways cannot be loaded, the access token still lets in", async () => {
	expect((await ui.server().api("/api/password", { method: "POST", json: { password: PASSWORD } })).status).toBe(204);
	const { page, close } = await ui.openStranger(localhost, { serviceWorkers: "block" });
	await page.getByText("Other ways").waitFor();
	let missed = 0;
	await page.route("**/alternative-logins-*.js", (route) => {
		missed += 1;
		return route.abort();
	});
	await page.reload();
	await expect.poll(() => missed, { timeout: 20_000 }).toBe(1);
	await logInWithToken(page);
	await close();
});

test("[PG102] a new access token logs every device out, and only the new one lets in", async () => {
	const other = await ui.openStranger(localhost);
	await logInWithToken(other.page);
	const { page, close } = await ui.openStranger(localhost);
	await logInWithToken(page);
	await openSecurity(page);
	await page.getByRole("button", { name: "Replace the access token" }).click();
	await page.getByRole("button", { name: "Replace and log out everywhere" }).click();
	await tokenBox(page).waitFor();
	await tokenBox(other.page).waitFor();
	await other.close();
	await tokenBox(page).fill(ui.server().token);
	await page.getByRole("button", { name: "Log in" }).click();
	await page.getByRole("alert").filter({ hasText: "not right" }).waitFor();
	await logInWithToken(page, readFileSync(join(ui.server().home, "token"), "utf8").trim());
	await close();
});
