import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { type PageHarness, startPage } from "../../support/page-harness.ts";
import { createPageRepository } from "./page-repository.ts";

let ui: PageHarness;
const shop = createPageRepository();
const far = join(shop.home, "far.git");
const tools = join(shop.home, "tools");
const told = join(shop.home, "gh-was-told");

beforeAll(async () => {
	mkdirSync(far);
	shop.gitIn(far, "init", "-q", "--bare", "-b", "main");
	mkdirSync(tools);
	writeFileSync(
		join(tools, "gh"),
		`#!/bin/sh\n[ "$1" = pr ] || exit 0\nprintf '%s\\n' "$@" > ${told}\ngit ls-remote origin topic >> ${told}\necho https://example.org/pull/7\n`,
		{ mode: 0o755 },
	);
	ui = await startPage({ workdir: shop.root, env: { PATH: `${tools}:${process.env.PATH}` } });
});
afterAll(async () => {
	await ui.close();
	shop.remove();
});

async function openChanges() {
	const created: { conversation: { id: string } } = await (
		await ui.server().api("/api/conversations", { method: "POST", json: { title: "Shop" } })
	).json();
	const opened = await ui.openPage(`/c/${created.conversation.id}`);
	await opened.page.getByRole("button", { name: /Working directory/ }).click();
	await panel(opened.page).getByText("Everything is committed").waitFor();
	return opened;
}
const panel = (page: Page) => page.getByRole("region", { name: "Changes" });
const inMenu = async (page: Page, name: string) => {
	await panel(page).getByRole("button", { name: "Options" }).click();
	await page.getByRole("menuitem", { name }).click();
};

test("[PG741] a push says why it cannot be, goes to the other side when it can, and is offered where everything is committed", async () => {
	const { page, problems } = await openChanges();
	await inMenu(page, "Push");
	await page.getByText(/The repository has no remote/).waitFor();
	shop.git("remote", "add", "origin", far);
	await inMenu(page, "Push");
	await page.getByText("main was pushed to origin.").waitFor();
	expect(shop.git("ls-remote", far, "refs/heads/main").split("\t")[0]).toBe(shop.git("rev-parse", "HEAD"));
	shop.commit("a.txt", "b\n");
	await page.reload();
	await page.getByRole("button", { name: /Working directory/ }).click();
	await panel(page).getByText("1 commit is not pushed yet.").waitFor();
	expect(await seriousFindings(page)).toEqual([]);
	await panel(page).getByRole("button", { name: "Push" }).click();
	await page.getByText("main was pushed to origin.").waitFor();
	await panel(page).getByText("1 commit is not pushed yet.").waitFor({ state: "detached" });
	expect(shop.git("ls-remote", far, "refs/heads/main").split("\t")[0]).toBe(shop.git("rev-parse", "HEAD"));
	expect(problems).toEqual([]);
});

test("[PG742] a pull request is written in the page, its commits are pushed first, and its address is one press away", async () => {
	shop.git("switch", "-q", "-c", "topic");
	shop.commit("a.txt", "topic\n");
	const { page, problems } = await openChanges();
	await inMenu(page, "Open a pull request…");
	const dialog = page.getByRole("dialog", { name: "Pull request" });
	await dialog.getByRole("textbox", { name: "Title" }).fill("A better shop");
	await dialog.getByRole("textbox", { name: "Description" }).fill("With doors.\nTwo of them.");
	await dialog.getByRole("checkbox", { name: "As a draft" }).check();
	expect(await seriousFindings(page, { part: "dialog" })).toEqual([]);
	await dialog.getByRole("button", { name: "Create" }).click();
	await page.getByText("The pull request is open.").waitFor();
	expect(readFileSync(told, "utf8")).toBe(
		`pr\ncreate\n--title\nA better shop\n--body\nWith doors.\nTwo of them.\n--draft\n${shop.git("rev-parse", "HEAD")}\trefs/heads/topic\n`,
	);
	const opening = page.context().waitForEvent("page");
	await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Show" }).click();
	await (await opening).close();
	expect(problems.filter((problem) => !problem.includes("example.org"))).toEqual([]);
});

test("[PG742] what gh refuses stands in the dialog, with all that was written", async () => {
	writeFileSync(join(tools, "gh"), "#!/bin/sh\n[ \"$1\" = pr ] || exit 0\necho 'a pull request exists already' >&2\nexit 1\n", {
		mode: 0o755,
	});
	const { page } = await openChanges();
	await inMenu(page, "Open a pull request…");
	const dialog = page.getByRole("dialog", { name: "Pull request" });
	await dialog.getByRole("textbox", { name: "Title" }).fill("Again");
	await dialog.getByRole("button", { name: "Create" }).click();
	await dialog
		.getByRole("alert")
		.getByText(/a pull request exists already/)
		.waitFor();
	expect(await dialog.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Again");
});
