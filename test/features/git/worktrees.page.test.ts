import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { log, type PageHarness, startPage, untilKeysAreHeard } from "../../support/page-harness.ts";
import { createPageRepository } from "./page-repository.ts";

let ui: PageHarness;
const shop = createPageRepository();

beforeAll(async () => {
	ui = await startPage({ workdir: shop.root });
});
afterAll(async () => {
	await ui.close();
	shop.remove();
});

const trees = () => join(ui.server().home, "worktrees");
const treeOf = (branch: string) => join(trees(), `shop-${branch}`);
/** Begins a conversation in a work tree of its own, all by the form; `look` gets it filled in. */
async function begin(page: Page, { branch, setup, look }: { branch: string; setup?: string; look?: () => Promise<void> }): Promise<string> {
	await page.getByRole("button", { name: "Choose model and directory" }).click();
	const form = page.getByRole("dialog", { name: "New conversation" });
	await form.getByRole("checkbox", { name: /In a git work tree of its own/ }).check();
	await form.getByRole("textbox", { name: /^Branch/ }).fill(branch);
	if (setup !== undefined) await form.getByRole("textbox", { name: /^Command/ }).fill(setup);
	await look?.();
	await form.getByRole("button", { name: "Start" }).click();
	await form.waitFor({ state: "detached" });
	await page.waitForURL(/\/c\//);
	return treeOf(branch);
}
async function list(page: Page) {
	await page.getByRole("textbox", { name: "Message" }).fill("/worktrees");
	await page.keyboard.press("Enter");
	const dialog = page.getByRole("dialog", { name: "Work trees" });
	await dialog.getByRole("list", { name: "Work trees" }).waitFor();
	return dialog;
}
const row = (page: Page, branch: string) =>
	page.getByRole("dialog", { name: "Work trees" }).getByRole("listitem").filter({ hasText: branch });
async function openPage() {
	const opened = await ui.openPage();
	await untilKeysAreHeard(opened.page);
	return opened;
}

test("[PG743] the form makes a work tree with its branch and runs the set-up command in sight; its header says the branch", async () => {
	const { page, problems } = await openPage();
	const isAccessible = async () => expect(await seriousFindings(page, { part: "dialog" })).toEqual([]);
	const tree = await begin(page, { branch: "tidy", setup: "echo ready for $PWD", look: isAccessible });
	await log(page).getByText(`ready for ${tree}`).waitFor();
	await page.getByRole("button", { name: /Working directory.*Branch tidy/ }).waitFor();
	expect(shop.git("worktree", "list")).toContain(`${tree} `);
	const dialog = await list(page);
	await isAccessible();
	await row(page, "tidy").getByText("1 MB").waitFor();
	await row(page, "tidy").getByText("Nothing would be lost with it.").waitFor();
	await dialog.getByRole("button", { name: "Open the conversation" }).click();
	await dialog.waitFor({ state: "detached" });
	expect(problems).toEqual([]);
});

test("[PG743] a name that cannot be a branch, and one that is taken, are said in the form, which stays", async () => {
	const { page } = await openPage();
	await page.getByRole("button", { name: "Choose model and directory" }).click();
	const form = page.getByRole("dialog", { name: "New conversation" });
	await form.getByRole("checkbox", { name: /In a git work tree of its own/ }).check();
	for (const [name, said] of [
		["no..name", /no\.\.name is no name for a branch/],
		["main", /checked out in another work tree/],
	] as const) {
		await form.getByRole("textbox", { name: /^Branch/ }).fill(name);
		await form.getByRole("button", { name: "Start" }).click();
		await form.getByText(said).first().waitFor();
	}
	expect(await form.getByRole("textbox", { name: /^Branch/ }).inputValue()).toBe("main");
});

for (const viewport of [
	{ width: 375, height: 560 },
	{ width: 1280, height: 800 },
])
	test(`[PG747] with long names and a low screen the form stays within its dialog, ${viewport.width} wide`, async () => {
		await ui
			.server()
			.api("/api/conversations", { method: "POST", json: { worktree: { branch: `long/${"name-".repeat(9)}${viewport.width}` } } });
		const { page } = await ui.openPage("/", { viewport });
		await untilKeysAreHeard(page);
		if (viewport.width < 900) await page.getByRole("button", { name: "Open conversation list" }).click();
		await page.getByRole("button", { name: "Choose model and directory" }).click();
		const form = page.getByRole("dialog", { name: "New conversation" });
		await form
			.getByRole("option", { name: /long-name/ })
			.first()
			.waitFor();
		await form.getByRole("checkbox", { name: /In a git work tree of its own/ }).check();
		const outside = await form.evaluate((dialog) => {
			const { left, right, bottom } = dialog.getBoundingClientRect();
			const fields = [...dialog.querySelectorAll("input, button, [role=option]")].map((field) => field.getBoundingClientRect());
			return fields.some((field) => field.width > 0 && (field.left < left || field.right > right)) || bottom > innerHeight;
		});
		expect(outside).toBe(false);
		const start = await form.getByRole("button", { name: "Start" }).boundingBox();
		expect((start?.y ?? 0) + (start?.height ?? 0)).toBeLessThan(viewport.height);
		await form.getByRole("combobox", { name: /model/i }).click();
		const list = await form.getByRole("listbox", { name: /model/i }).boundingBox();
		const head = await form.locator("form").boundingBox();
		expect(list?.y ?? 0).toBeGreaterThanOrEqual(head?.y ?? 0);
	});

for (const [method, button] of [
	["merge", "Merge back"],
	["rebase", "Rebase and merge"],
] as const)
	test(`[PG744] the commits of a work tree come back by ${method}; what stands in the way is said in its row`, async () => {
		const { page, problems } = await openPage();
		const tree = await begin(page, { branch: `by-${method}` });
		writeFileSync(join(tree, `${method}.txt`), "tree\n");
		await list(page);
		const here = row(page, `by-${method}`);
		await here.getByText("Reasons to keep it: changes that are not committed").waitFor();
		await here.getByRole("button", { name: button, exact: true }).click();
		await here
			.getByRole("alert")
			.getByText(/has changes that are not committed/)
			.waitFor();
		shop.gitIn(tree, "add", "-A");
		shop.gitIn(tree, "commit", "-q", "-m", "tree");
		shop.commit(`main-${method}.txt`, "main\n");
		await here.getByRole("button", { name: button, exact: true }).click();
		await page.getByText(/main is at [0-9a-f]{8} now/).waitFor();
		await here.getByText("Nothing would be lost with it.").waitFor();
		expect(readFileSync(join(shop.root, `${method}.txt`), "utf8")).toBe("tree\n");
		expect(shop.git("log", "-1", "--format=%p").split(" ")).toHaveLength(method === "merge" ? 2 : 1);
		expect(problems.filter((problem) => !problem.includes("409"))).toEqual([]);
	});

const REASONS: readonly { branch: string; said: string; make: (tree: string) => void }[] = [
	{ branch: "with-env", said: "ignored files, such as .env", make: (tree) => writeFileSync(join(tree, ".env"), "KEY=1\n") },
	{
		branch: "with-commit",
		said: "commits that are not merged or pushed",
		make(tree) {
			writeFileSync(join(tree, "a.txt"), "mine\n");
			shop.gitIn(tree, "commit", "-q", "-am", "mine");
		},
	},
	{
		branch: "with-nested",
		said: "a repository inside it",
		make(tree) {
			mkdirSync(join(tree, "secret"));
			shop.gitIn(join(tree, "secret"), "init", "-q");
		},
	},
	{
		branch: "with-hidden",
		said: "edits that git was told not to see",
		make(tree) {
			shop.gitIn(tree, "update-index", "--assume-unchanged", "a.txt");
			writeFileSync(join(tree, "a.txt"), "hidden\n");
		},
	},
];

test.each(REASONS)(
	"[PG745] a work tree with $said stays until somebody insists, and lies in the trash then",
	async ({ branch, said, make }) => {
		const { page } = await openPage();
		const tree = await begin(page, { branch });
		make(tree);
		await list(page);
		const here = row(page, branch);
		await here.getByText(said).waitFor();
		await here.getByRole("button", { name: "Remove…" }).click();
		await here.getByText(/trash for a week/).waitFor();
		await here.getByRole("button", { name: "Cancel" }).click();
		expect(existsSync(tree)).toBe(true);
		await here.getByRole("button", { name: "Remove…" }).click();
		await here.getByRole("button", { name: "Remove all the same" }).click();
		await page.getByText("The work tree is in the trash for a week.").waitFor();
		await here.waitFor({ state: "detached" });
		expect(existsSync(tree)).toBe(false);
		expect(shop.git("branch", "--list", branch)).toContain(branch);
		const [kept] = readdirSync(join(trees(), ".trash")).filter((name) => name.endsWith(`-shop-${branch}`));
		expect(readFileSync(join(trees(), ".trash", kept ?? "", "a.txt"), "utf8")).toMatch(/a|mine|hidden/);
		if (branch === "with-env") expect(readFileSync(join(trees(), ".trash", kept ?? "", ".env"), "utf8")).toBe("KEY=1\n");
	},
);

test("[PG745] what appeared after the list was drawn is found before anything goes", async () => {
	const { page } = await openPage();
	const tree = await begin(page, { branch: "meanwhile" });
	await list(page);
	const here = row(page, "meanwhile");
	await here.getByText("Nothing would be lost with it.").waitFor();
	await here.getByRole("button", { name: "Remove…" }).click();
	writeFileSync(join(tree, ".env"), "KEY=1\n");
	await here.getByRole("button", { name: "Remove", exact: true }).click();
	await page.getByText("The work tree was kept: ignored files, such as .env").waitFor();
	await here.getByText("Reasons to keep it: ignored files, such as .env").waitFor();
	expect(readFileSync(join(tree, ".env"), "utf8")).toBe("KEY=1\n");
});
