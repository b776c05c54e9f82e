import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../test/support/server.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { launchChromium } from "./support/chromium.ts";
import { interleave } from "./support/pairs.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";

const LINES = 10_000;

/** A diff of ten thousand lines: how long the panel of changes takes to show all of it, against the same text as plain lines. */
export const benchmark: Benchmark = {
	name: "page-diff",
	run: ({ quick }) =>
		withScratch(async (workdir) => {
			makeRepository(workdir);
			const server = await startServer({ built: true, workdir, env: { RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9/v1" } });
			const browser = await launchChromium(server);
			const created: { conversation: { id: string } } = await (
				await server.api("/api/conversations", { method: "POST", json: { title: "Long diff" } })
			).json();
			const measure = {
				async limit() {
					const { ask, close } = await browser.open("/healthz");
					const ms = await ask<number>(`probe.plainLines(${LINES})`);
					await close();
					return ms;
				},
				async ours() {
					const { page, ask, close } = await browser.open(`/c/${created.conversation.id}`);
					await page.getByRole("button", { name: /uncommitted/ }).click();
					await page.getByRole("button", { name: /Show all/ }).waitFor();
					const ms = await ask<number>(`probe.showAllLines(${LINES})`);
					await close();
					return ms;
				},
			};
			if (!quick) await interleave(1, measure);
			const times = await interleave(quick ? 1 : 11, measure);
			await browser.close();
			await server.close();
			return { rows: [row({ name: "diff of 10,000 lines shown, against plain lines", unit: "ms", ...times, goal: atMost(300), quick })] };
		}),
};

/** One file in which every line is new. */
function makeRepository(folder: string): void {
	const git = (...given: string[]) => execFileSync("git", given, { cwd: folder });
	git("init", "-q", "-b", "main");
	writeFileSync(join(folder, "README.md"), "# Long\n");
	git("add", "-A");
	git("-c", "user.name=Bench", "-c", "user.email=bench@example.com", "commit", "-q", "-m", "begin");
	const lines = Array.from({ length: LINES }, (_, index) => `\tconst value${index} = compute(${index}, "${"x".repeat(index % 40)}");\n`);
	writeFileSync(join(folder, "long.ts"), lines.join(""));
}
