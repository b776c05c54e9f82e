import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { answers, log, type PageHarness, PHONE, prompts, say, startPage } from "../../support/page-harness.ts";
import { createGate, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";

let it: PageHarness;
beforeAll(async () => {
	it = await startPage();
});
afterAll(() => it.close());

test("[PG40] a login link logs in by itself, leaves the address, and a prompt is answered word by word", async () => {
	const stranger = await it.openStranger(`${it.proxy.url}/${new URL(it.server().loginUrl).hash}`);
	onTestFinished(stranger.close);
	const { page, problems } = stranger;
	const gate = createGate();
	it.model.reply(text("First half, "), waitFor(gate), text("second **half**."));
	await say(page, "Hello there");
	await answers(page).getByText("First half,").waitFor();
	expect(new URL(page.url()).hash).toBe("");
	expect(await prompts(page).allInnerTexts()).toHaveLength(1);
	gate.open();
	await answers(page).locator("strong", { hasText: "half" }).waitFor();
	expect(problems).toEqual([]);
});

test("[PG41] a reload in mid-answer shows what was there and what follows, once", async () => {
	const { page } = await it.openPage();
	const gate = createGate();
	it.model.reply(text("Before the reload. "), waitFor(gate), text("After the reload."));
	await say(page, "Reload me");
	await answers(page).getByText("Before the reload.").waitFor();
	await page.reload();
	await answers(page).getByText("Before the reload.").waitFor();
	gate.open();
	await answers(page).getByText("After the reload.").waitFor();
	expect((await answers(page).innerText()).match(/the reload/g)).toHaveLength(2);
	expect(await prompts(page).count()).toBe(1);
});

test("[PG41] a second tab sees the same prompt and the same words as they come", async () => {
	const first = await it.openPage();
	const gate = createGate();
	it.model.reply(text("One. "), waitFor(gate), text("Two."));
	await say(first.page, "For both tabs");
	await answers(first.page).getByText("One.").waitFor();
	const second = await it.openPage(new URL(first.page.url()).pathname);
	await answers(second.page).getByText("One.").waitFor();
	gate.open();
	for (const { page } of [first, second]) await answers(page).getByText("One. Two.").waitFor();
	it.model.reply(text("Fine."));
	await say(second.page, "From the second tab");
	await prompts(first.page).getByText("From the second tab").waitFor();
	await answers(first.page).getByText("Fine.").waitFor();
});

test("[PG1084] a press where a permission request stood until now does not allow the one that stands there then", async () => {
	const { api } = it.server();
	const { conversation } = await (await api("/api/conversations", { method: "POST", json: { title: "Two commands" } })).json();
	await api(`/api/conversations/${conversation.id}`, { method: "PATCH", json: { permissions: "ask" } });
	it.model.reply(toolCall("Bash", { command: "echo one" }));
	it.model.reply(toolCall("Bash", { command: "echo two" }));
	it.model.reply(text("Both done."));
	const mine = (await it.openPage(`/c/${conversation.id}`)).page;
	const theirs = (await it.openPage(`/c/${conversation.id}`)).page;
	const allow = (page: typeof mine) => page.getByRole("button", { name: "Allow once" });
	await say(mine, "Run two commands");
	await mine.getByText("echo one").last().waitFor();
	await allow(mine).waitFor();
	// As soon as anything else stands there, it is pressed for a quarter of a second.
	const pressed = mine.evaluate(
		(name) =>
			new Promise<string[]>((resolve) => {
				const found: string[] = [];
				const buttons = () =>
					[...document.querySelectorAll<HTMLElement>("[role=group] button")].filter((each) => each.textContent === name);
				const [first] = buttons();
				const gone = new MutationObserver(() => {
					const [next] = buttons();
					if (next === undefined || next === first) return;
					gone.disconnect();
					const press = () => {
						const { left, top, width, height } = next.getBoundingClientRect();
						const hit = document.elementFromPoint(left + width / 2, top + height / 2);
						found.push(hit?.textContent === name ? "the button" : "nothing");
						if (hit instanceof HTMLElement && hit.textContent === name) hit.click();
					};
					press();
					setTimeout(press, 100);
					setTimeout(() => resolve(found), 150);
				});
				gone.observe(document.body, { childList: true, subtree: true });
			}),
		"Allow once",
	);
	await allow(theirs).click();
	expect(await pressed).toEqual(["nothing", "nothing"]);
	await allow(mine).click();
	await answers(mine).getByText("Both done.").waitFor();
});

test("[PG44] a shell line becomes a card with its output and exit code, and goes with the next prompt", async () => {
	const { page } = await it.openPage();
	it.model.reply(text("I saw it."));
	await say(page, "!echo from-the-shell; exit 7");
	const card = log(page).getByRole("article", { name: "Command" });
	await card.getByText("exit 7", { exact: true }).waitFor();
	await card.locator("pre", { hasText: "from-the-shell" }).waitFor();
	const seen = it.model.requests.length;
	await say(page, "What did it print?");
	await answers(page).getByText("I saw it.").waitFor();
	expect(JSON.stringify(it.model.requests[seen]?.body.messages)).toContain("from-the-shell");
	await card.getByText("Sent with a message").waitFor();
});

test("[PG45] a question is answered with a button, and the agent goes on", async () => {
	const { page } = await it.openPage();
	it.model.reply(toolCall("ask_user", { question: "Which colour?", choices: ["Red", "Green"] }));
	it.model.reply(text("Green it is."));
	await say(page, "Ask me");
	const group = page.getByRole("group", { name: "Question" });
	await group.getByRole("textbox", { name: "Answer" }).waitFor();
	await group.getByRole("button", { name: "Green" }).click();
	await answers(page).getByText("Green it is.").waitFor();
	expect(await group.count()).toBe(0);
});

test("[PG904] what waits elsewhere is in the inbox of every page, is answered there, and is gone from all of them when one has seen it", async () => {
	const { api } = it.server();
	const [{ page }, phone] = [await it.openPage(), await it.openPage("/", PHONE)];
	// Conversations of the tests before this one may be in the list as well.
	const ours = (each: typeof page) => each.getByRole("list", { name: "Inbox" }).getByRole("listitem").filter({ hasText: "Paint" });
	const { conversation } = await (await api("/api/conversations", { method: "POST", json: { title: "Paint" } })).json();
	it.model.reply(toolCall("ask_user", { question: "Which colour?", choices: ["Red", "Green"] }));
	it.model.reply(text("Green it is."));
	await api(`/api/conversations/${conversation.id}/messages`, { method: "POST", json: { prompt: "Ask me" } });
	await page.getByRole("button", { name: /^Inbox/ }).waitFor();
	await phone.page.waitForFunction(() => /^\(\d+\) /.test(document.title));
	await phone.page.getByRole("button", { name: /waits? for you/ }).tap();
	const list = ours(phone.page);
	await list.getByText("Which colour?").waitFor();
	expect(await seriousFindings(phone.page, { part: "section" })).toEqual([]);
	await list.getByRole("button", { name: "Green" }).tap();
	await list.getByText("The answer is ready.").waitFor();
	await page.keyboard.press("ControlOrMeta+i");
	const row = ours(page);
	await row.getByText("The answer is ready.").waitFor();
	await row.press("Enter");
	await answers(page).getByText("Green it is.").waitFor();
	for (const each of [page, phone.page]) await ours(each).waitFor({ state: "detached" });
	expect([...phone.problems]).toEqual([]);
});
