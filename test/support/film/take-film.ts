import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchBrowser, loggedIn } from "../browser.ts";
import { startScriptedModel } from "../scripted-model.ts";
import { pause, type Step, text, toolCall } from "../scripted-model-steps.ts";
import { startServer } from "../server.ts";
import { animatedWebp } from "./animated-webp.ts";
import { openStudio } from "./studio.ts";

/** Takes the film of the README: the real server, runtime, shell and page, at a desk and on a phone; only the model is scripted. */
const film = join(import.meta.dirname, "..", "..", "..", "docs", "images", "film.webp");
const SCALE = 0.8;
const [DESK, PHONE] = [
	{ width: 1040, height: 700 },
	{ width: 390, height: 700 },
];
const PROMPT = "The test of total() fails. Find out why and fix it.";

const folder = mkdtempSync(join(tmpdir(), "work-"));
const workdir = join(folder, "shop");
makeProject();
const model = await startScriptedModel();
scriptModel();
const server = await startServer({ built: true, workdir, env: { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PERMISSIONS: "ask" } });
await server.api("/api/settings", { method: "PATCH", json: { firstRun: "done" } });
const browser = await launchBrowser();
try {
	const { conversation }: { conversation: { id: string } } = await (
		await server.api("/api/conversations", { method: "POST", json: { title: "Fix total()" } })
	).json();
	const address = `${server.url}/c/${conversation.id}`;
	const login = loggedIn(await server.login(), "127.0.0.1");
	const desk = (await browser.open(address, { ...login, viewport: DESK, deviceScaleFactor: SCALE, colorScheme: "light" })).page;
	const phone = (
		await browser.open(address, {
			...login,
			viewport: PHONE,
			isMobile: true,
			hasTouch: true,
			deviceScaleFactor: SCALE,
			colorScheme: "dark",
		})
	).page;
	const easel = (await browser.open("about:blank")).page;
	const [top, left] = [20, 20];
	const size = ({ width, height }: typeof DESK) => ({ top, width: width * SCALE, height: height * SCALE });
	const studio = await openStudio(easel, [
		{ page: desk, left, ...size(DESK) },
		{ page: phone, left: left * 2 + DESK.width * SCALE, ...size(PHONE) },
	]);

	/** Shoots while something goes on, as fast as this machine can. */
	const shootWhile = async (caption: string, work: Promise<unknown>) => {
		let going = true;
		const end = () => {
			going = false;
		};
		work.then(end, end);
		while (going) await studio.shoot(caption, 150);
		await work;
	};
	const asks = (page: Page) => page.getByRole("group", { name: "Permission request" });

	const message = desk.getByRole("textbox", { name: "Message" });
	await message.waitFor();
	await phone.getByRole("textbox", { name: "Message" }).waitFor();
	await desk.waitForTimeout(1500);
	await studio.shoot("Ask at your desk …", 800);
	for (const words of PROMPT.match(/.{1,6}/g) ?? []) {
		await message.pressSequentially(words);
		await studio.shoot("Ask at your desk …", 110);
	}
	await studio.shoot("Ask at your desk …", 500);
	await desk.getByRole("button", { name: "Send", exact: true }).click();
	await shootWhile("… and watch from anywhere, word for word.", asks(phone).waitFor());
	await studio.shoot("Have it ask first, and answer on the phone.", 2200);
	await phone.getByRole("button", { name: "Allow exactly this" }).tap();
	await shootWhile("Have it ask first, and answer on the phone.", asks(phone).getByText("write a file").waitFor());
	await studio.shoot("Have it ask first, and answer on the phone.", 2200);
	await phone.getByRole("button", { name: "Allow once" }).tap();
	const line = desk.getByRole("button", { name: /^1 file/ });
	await shootWhile("Close the lid: it goes on, and nothing it said is lost.", line.waitFor());
	await studio.shoot("Close the lid: it goes on, and nothing it said is lost.", 2500);
	await desk.getByRole("button", { name: "Close conversation list" }).click();
	await line.click();
	const panel = desk.getByRole("region", { name: "Changes" });
	await panel.getByRole("table").first().waitFor();
	await desk.waitForTimeout(700);
	await studio.shoot("Look at every line that was changed …", 3000);
	await panel.getByRole("button", { name: "Undo…" }).first().click();
	await desk.getByRole("dialog").getByText("as before").waitFor();
	await desk.waitForTimeout(500);
	await studio.shoot("… and take back a turn, a file or a few lines.", 3000);
	const file = animatedWebp(studio.width, studio.height, studio.frames);
	writeFileSync(film, file);
	const seconds = studio.frames.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
	console.log(`${studio.frames.length} pictures, ${seconds.toFixed(1)} s, ${studio.width} × ${studio.height}, ${file.length} bytes`);
} finally {
	await browser.close();
	await server.close();
	await model.close();
	rmSync(folder, { recursive: true, force: true });
}

function makeProject(): void {
	for (const name of ["src", "test"]) mkdirSync(join(workdir, name), { recursive: true });
	writeFileSync(join(workdir, "package.json"), '{ "name": "shop", "type": "module" }\n');
	writeFileSync(
		join(workdir, "src/total.js"),
		"/** What a basket costs. */\nexport function total(items) {\n\treturn items.reduce((sum, item) => sum + item.price, 0);\n}\n",
	);
	writeFileSync(
		join(workdir, "test/total.test.js"),
		[
			'import { equal } from "node:assert/strict";',
			'import { test } from "node:test";',
			'import { total } from "../src/total.js";',
			"",
			'test("an empty basket is free", () => equal(total([]), 0));',
			'test("two pears cost twice as much", () => equal(total([{ price: 3, count: 2 }]), 6));',
			"",
		].join("\n"),
	);
	const git = (...given: string[]) => execFileSync("git", given, { cwd: workdir });
	git("init", "-q", "-b", "main");
	git("add", "-A");
	git("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-q", "-m", "begin");
}

function scriptModel(): void {
	const run = toolCall("Bash", { command: "node --test", description: "Run the tests" });
	model.reply(...spoken("I will run the tests first, to see which one fails and how."), run);
	model.reply(
		...spoken(
			"One of two fails: *two pears cost twice as much* expects **6** and gets **3**. `total()` adds the price of every item and never looks at `count`. I will multiply by it.",
		),
		toolCall("edit", { path: join(workdir, "src/total.js"), old_str: "sum + item.price,", new_str: "sum + item.price * item.count," }),
	);
	model.reply(run);
	model.reply(
		...spoken(
			"Both tests pass now.\n\n* **Cause:** `total()` ignored how many of an item are in the basket.\n* **Change:** one line in `src/total.js`, price times count.",
		),
	);
}

/** As a model says it: a few letters at a time. */
function spoken(words: string): Step[] {
	return (words.match(/[\s\S]{1,12}/g) ?? []).flatMap((part) => [text(part), pause(90)]);
}
