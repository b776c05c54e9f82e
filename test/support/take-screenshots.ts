import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { startServer } from "./server.ts";

/** Takes the pictures of the README from the real page with the demo pilot. */
const images = join(import.meta.dirname, "..", "..", "docs", "images");
const workdir = mkdtempSync(join(tmpdir(), "my-project-"));
writeFileSync(join(workdir, "package.json"), '{ "name": "my-project" }\n');
writeFileSync(join(workdir, "README.md"), "# My project\n");
for (const folder of ["src", "test"]) mkdirSync(join(workdir, folder));
mkdirSync(images, { recursive: true });

const server = await startServer({ built: true, workdir });
const browser = await launchBrowser();
try {
	await talk("Show me a table and some code");
	await talk("What is in this folder?");
	for (const colorScheme of ["light", "dark"] as const) {
		await shoot(`desktop-${colorScheme}`, { colorScheme, viewport: { width: 1280, height: 800 } });
		await shoot(`phone-${colorScheme}`, {
			colorScheme,
			viewport: { width: 390, height: 844 },
			isMobile: true,
			hasTouch: true,
			deviceScaleFactor: 2,
		});
	}
} finally {
	await browser.close();
	await server.close();
	rmSync(workdir, { recursive: true, force: true });
}

async function talk(prompt: string): Promise<void> {
	const { page, close } = await open({});
	await page.getByRole("button", { name: "New conversation" }).first().click();
	await page.getByRole("textbox", { name: "Message" }).fill(prompt);
	await page.getByRole("button", { name: "Send", exact: true }).click();
	await page.getByRole("button", { name: "Stop" }).waitFor();
	await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
	await close();
}

async function shoot(name: string, options: object): Promise<void> {
	const { page, close } = await open(options);
	await page.getByRole("log", { name: "Conversation" }).getByRole("article").last().waitFor();
	await stillness(page);
	await page.screenshot({ path: join(images, `${name}.png`), animations: "disabled", caret: "hide" });
	await close();
}

/** A page of a person who is logged in, at the newest conversation. */
async function open(options: object) {
	const cookies = (await server.login()).split("; ").map((pair) => {
		const at = pair.indexOf("=");
		return {
			name: pair.slice(0, at),
			value: pair.slice(at + 1),
			domain: "127.0.0.1",
			path: "/",
			expires: -1,
			httpOnly: true,
			secure: false,
			sameSite: "Strict" as const,
		};
	});
	const response: { conversations: { id: string }[] } = await (await server.api("/api/conversations")).json();
	const newest = response.conversations[0];
	return await browser.open(`${server.url}/${newest === undefined ? "" : `c/${newest.id}`}`, {
		...options,
		storageState: { cookies, origins: [] },
	});
}

/** Fonts, highlighting and sizes have settled when two pictures in a row are the same. */
async function stillness(page: Page): Promise<void> {
	let before = await page.screenshot({ animations: "disabled" });
	for (let round = 0; round < 20; round += 1) {
		await page.waitForTimeout(300);
		const now = await page.screenshot({ animations: "disabled" });
		if (now.equals(before)) return;
		before = now;
	}
}
