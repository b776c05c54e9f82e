import { afterAll, beforeAll, expect, test } from "vitest";
import { log, type PageHarness, say, startPage } from "../../support/page-harness.ts";
import { text, toolCall } from "../../support/scripted-model-steps.ts";

let it: PageHarness;
beforeAll(async () => {
	it = await startPage();
	it.model.default(() => [text("Done.")]);
});
afterAll(() => it.close());

test("[PG37] what a running tool prints is in sight without opening its card, the newest lines at its end", async () => {
	const { page, close } = await it.open();
	it.model.reply(toolCall("Bash", { command: "for i in $(seq 1 30); do echo line-$i; done; sleep 60" }));
	await say(page, "Work");
	await log(page).getByText("line-30").waitFor();
	expect(await log(page).getByText("line-30").isVisible()).toBe(true);
	await page.getByRole("button", { name: "Stop", exact: true }).click();
	await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
	await page.reload();
	await log(page).getByText("Run", { exact: true }).click();
	await log(page).getByText("line-30").waitFor();
	await log(page).getByText("Stopped.", { exact: true }).waitFor();
	await close();
});
