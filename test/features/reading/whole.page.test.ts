import { afterAll, beforeAll, expect, test } from "vitest";
import { answers, log, type PageHarness, say, startPage } from "../../support/page-harness.ts";
import { text, toolCall } from "../../support/scripted-model-steps.ts";

let it: PageHarness;
beforeAll(async () => {
	it = await startPage();
});
afterAll(() => it.close());

const filler = (chars: number) => "one line of a very long thing\n".repeat(Math.ceil(chars / 30));

test("[PG310] [PG311] [PG312] what is very large comes in part, and whole by keyboard when somebody opens it", async () => {
	const watching = await it.open();
	it.model.reply(toolCall("Bash", { command: `echo done; cat > /dev/null <<'X'\n${filler(60_000)}the last line of the command\nX` }));
	it.model.reply(text(`First words. ${filler(400_000)}`), text("The very last words."));
	await say(watching.page, "Write a lot");
	await watching.page.getByRole("button", { name: "Stop", exact: true }).waitFor();
	await watching.page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
	const { pathname } = new URL(watching.page.url());
	await watching.close();

	// Who watched has all of it; another device gets the beginning.
	const { page, close } = await it.open(pathname);
	await answers(page).getByText("First words.").waitFor();
	expect(await answers(page).getByText("The very last words.").count()).toBe(0);

	// Its code may come after the words.
	const card = log(page).locator("summary").filter({ hasText: "Run" });
	await card.waitFor();
	it.proxy.refuse();
	it.proxy.cut();
	await card.focus();
	await page.keyboard.press("Enter");
	await log(page).getByText("The server cannot be reached right now.").waitFor();
	it.proxy.resume();
	await log(page).getByText("the last line of the command").waitFor();

	const more = log(page).getByRole("button", { name: "Show all of it" });
	await more.focus();
	await page.keyboard.press("Enter");
	await answers(page).getByText("The very last words.").waitFor();
	expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("log");
	await close();
});
