import { afterAll, beforeAll, test } from "vitest";
import { type BotApiEmulator, createBotApiEmulator } from "../../support/bot-api/bot-api-emulator.ts";
import { type PageHarness, startPage } from "../../support/page-harness.ts";

let api: BotApiEmulator;
let ui: PageHarness;
beforeAll(async () => {
	api = await createBotApiEmulator();
	ui = await startPage({ pilot: "demo", env: { TELEGRAM_BOT_TOKEN: api.token, TELEGRAM_API_ROOT: api.url } });
});
afterAll(async () => {
	await ui.close();
	await api.close();
});

test("[PG92] somebody who writes to the bot is let in from the settings by the code that only they have, and a conversation moves there by a code", async () => {
	const { page, close } = await ui.open();
	await page.getByRole("textbox", { name: "Message" }).fill("!echo for-the-chat");
	await page.keyboard.press("Enter");
	await page.waitForURL(/\/c\//);
	await page.getByRole("button", { name: "Settings" }).click();
	const dialog = page.getByRole("dialog", { name: "Settings" });
	await dialog.getByRole("button", { name: "Telegram" }).click();
	await dialog.getByText("Nobody waits.").waitFor();
	const bea = api.private({ id: 2002, name: "Bea" });
	bea.text("hello?");
	await dialog.getByText("Type the code").waitFor();
	const box = dialog.getByRole("textbox", { name: "Pairing code" });
	await box.fill("0000-0000");
	await dialog.getByRole("button", { name: "Let in" }).click();
	await page.getByText("This code is wrong or too old.").waitFor();
	const code = /[0-9A-F]{4}-[0-9A-F]{4}/.exec(api.fromBot(2002)[0]?.text ?? "")?.[0] ?? "";
	await box.fill(code.toLowerCase());
	await dialog.getByRole("button", { name: "Let in" }).click();
	await dialog.getByRole("button", { name: "Remove" }).waitFor();
	await page.getByText("Bea may use the bot now.").waitFor();
	await dialog.getByRole("button", { name: "Link the open conversation" }).click();
	const command = /\/link \w+/.exec(await dialog.getByText("Send this to the bot").innerText())?.[0] ?? "";
	const linked = new Promise<void>((resolve) => {
		const off = api.onCall(() => {
			if (!api.fromBot(2002).some((message) => message.text.includes("This chat shows"))) return;
			off();
			resolve();
		});
	});
	bea.text(command);
	await linked;
	await dialog.getByRole("button", { name: "Remove" }).click();
	await dialog.getByText("Nobody yet.").waitFor();
	await close();
});
