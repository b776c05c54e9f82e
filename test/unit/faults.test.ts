import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerFrame } from "@rightseat/protocol/frames/server";
import { expect, test } from "vitest";
import { FAULTS } from "../faults/faults.ts";
import { createPageView } from "../faults/page-view.ts";
import { createRandom } from "../faults/random.ts";
import { summary } from "../faults/report.ts";
import { ROOT } from "./support/source-files.ts";
import { listRules } from "./support/spec-files.ts";

const at = (seq: number) => ({ conversationId: "c", epoch: "e", seq });
const snapshot: ServerFrame = {
	type: "copilot:snapshot",
	data: {
		...at(4),
		status: "streaming",
		messages: [],
		turn: { messageId: "a", userMessageId: "u", startedAt: "", parts: [], tools: [] },
		queue: [],
		questions: [],
		permissions: [],
		commands: [],
		context: [],
	},
};

test("[FT3] the suite's page takes each event once, in order, and asks again on a gap", () => {
	const view = createPageView();
	const delta = (seq: number, content: string): ServerFrame => ({ type: "copilot:delta", data: { ...at(seq), messageId: "m", content } });
	expect(view.apply(snapshot)).toBe(true);
	expect(view.apply(delta(5, "a"))).toBe(true);
	expect(view.apply(delta(5, "a"))).toBe(true);
	expect(view.apply(delta(7, "c"))).toBe(false);
	expect(view.apply(delta(6, "b"))).toBe(true);
	view.apply({ type: "copilot:idle", data: { ...at(7), outcome: "completed" } });
	expect(view.lines).toEqual(["agent: ab"]);
});

test("[FT4] the same seed gives the same round", () => {
	const draw = (seed: number) => {
		const random = createRandom(seed);
		return [random.between(0, 1e6), random.some(FAULTS, 3).map((fault) => fault.name), random.next()];
	};
	expect(draw(7)).toEqual(draw(7));
	expect(draw(7)).not.toEqual(draw(8));
});

test("[FT6] the report counts rounds and broken promises for each fault", () => {
	const round = { seed: 1, prompts: 2, commands: 2, ms: 90_000 };
	const text = summary(
		[
			{ ...round, faults: ["kill-server"], findings: [] },
			{ ...round, faults: ["kill-server", "flood"], findings: ["lost"] },
		],
		{ rounds: 2, seed: 1, disk: "ext4", left: [], browser: true, begunAt: "2026-01-02T03:04:05Z" },
	);
	expect(text).toContain("--rounds 2 --seed 1 --docs`, begun on 2026-01-02, on");
	expect(text).toContain("2 rounds, 3 faults injected, 8 prompts and commands sent, 3 minutes. Rounds with a broken promise: 1.");
	expect(text).toContain("2 faults, each in at least 1 round.");
	expect(text).toContain("* `kill-server+flood@1`: lost");
	expect(text).toMatch(/\| kill-server \|.*\| 2 \| 1 \|/);
});

test("[AR125] every fault is in the document's list, every promise names rules, and every rule that the document names exists", () => {
	const text = readFileSync(join(ROOT, "docs/reliability.md"), "utf8");
	const [, list = ""] = /## Which fault proves what\n([\s\S]*?)\n## /.exec(text) ?? [];
	const named = FAULTS.map(({ name }) => name).filter((name) => !name.startsWith("page-"));
	expect(named.filter((name) => !list.includes(`\`${name}\``))).toEqual([]);
	const rules = new Set(listRules());
	const [, promises = ""] = /\| promise \| tested by \|\n\|---\|---\|\n([\s\S]*?)\n\n/.exec(text) ?? [];
	expect(promises.split("\n").length).toBeGreaterThanOrEqual(20);
	expect(promises.split("\n").filter((row) => !/\| (?:.*, )?`\[[A-Z]{2}\d+\]`.* \|$/.test(row))).toEqual([]);
	expect([...text.matchAll(/`\[([A-Z]{2}\d+)\]`/g)].map(([, id = ""]) => id).filter((id) => !rules.has(id))).toEqual([]);
});
