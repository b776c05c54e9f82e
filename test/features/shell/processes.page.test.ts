import { afterAll, beforeAll, test } from "vitest";
import { type PageHarness, startPage } from "../../support/page-harness.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { text, toolCall } from "../../support/scripted-model-steps.ts";

let ui: PageHarness;
let model: ScriptedModel;
beforeAll(async () => {
	model = await startScriptedModel();
	ui = await startPage({ pilot: "demo", env: { RIGHTSEAT_PROVIDER_URL: model.url, COPILOT_DEFAULT_MODEL: "scripted-model" } });
});
afterAll(async () => {
	await ui.close();
	await model.close();
});

test("[PG72] background processes are listed with their output, filtered and killed", async () => {
	model.reply(toolCall("Bash", { command: "echo alpha; echo beta; sleep 600", run_in_background: true }));
	model.reply(text("It runs in the background."));
	const { page, close } = await ui.open();
	await page.getByRole("textbox", { name: "Message" }).fill("start it");
	await page.keyboard.press("Enter");
	await page.getByText("It runs in the background.").first().waitFor();
	await page.getByRole("button", { name: "Processes" }).click();
	const list = page.getByRole("list", { name: "Processes" });
	await list.getByText("running", { exact: true }).waitFor();
	await list.getByRole("button", { name: /^Show output of echo alpha/ }).click();
	const output = list.getByLabel("Output", { exact: true });
	await output.filter({ hasText: "alpha" }).waitFor();
	await list.getByRole("searchbox", { name: "Filter lines" }).fill("beta");
	await output.filter({ hasNotText: "alpha" }).filter({ hasText: "beta" }).waitFor();
	await list.getByRole("button", { name: /^Kill/ }).click();
	await list.getByText("killed", { exact: true }).waitFor();
	await close();
});
