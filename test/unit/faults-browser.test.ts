import type { Message } from "@rightseat/protocol/model/message";
import { expect, test } from "vitest";
import { examinePage, examineStatus, type PageObservation } from "../faults/browser-examiner.ts";
import type { ShownRow } from "../faults/browser-rows.ts";

const createdAt = "2026-01-01T00:00:00.000Z";
const said = (id: string, content: string, metadata = {}): Message => ({
	...{ id, content, createdAt },
	role: "user",
	metadata: { origin: "web", ...metadata },
});
const answer = (id: string, content: string, inReplyTo: string): Message => ({
	...{ id, content, createdAt },
	role: "assistant",
	metadata: { outcome: "completed", tools: [], parts: [], inReplyTo },
});
const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
const bash = { bash: true, command: "echo one", exitCode: 0, execId: "exec" };

/** A command ended between a prompt and its answer; one prompt is still queued. */
const messages: Message[] = [
	said("u1", "typed first"),
	said("c1", `[Bash executed by user]\n$ echo one\n${lines.join("\n")}\n[exit code: 0]`, bash),
	answer("a1", "One **two** three.", "u1"),
	said("u2", "typed second"),
	answer("a2", "Four.", "u2"),
	said("u3", "typed third", { delivery: "queued" }),
];
const row = (key: string, role: ShownRow["role"], text: string, output: string[] = []): ShownRow => ({
	...{ key, role, text, output },
	state: "settled",
});
const good: PageObservation = {
	rows: [
		row("u1", "user", "typed first"),
		row("a1", "agent", "One two three."),
		row("exec", "command", "echo one", [lines.slice(0, 6).join("\n"), lines.slice(-8).join("\n")]),
		row("u2", "user", "typed second"),
		row("a2", "agent", "Four."),
	],
	status: "Connected",
	typed: ["typed first", "!echo one", "typed second", "typed third"].map((text) => ({ text, mayBeLost: false })),
};

test("[FT30] a page that shows what is stored has no finding", () => {
	expect(examinePage(good, messages)).toEqual([]);
});

const change = (index: number, patch: Partial<ShownRow>) => good.rows.map((each, at) => (at === index ? { ...each, ...patch } : each));
const [first, second, third, ...rest] = good.rows;

test.each([
	["a missing row", { rows: good.rows.filter((_, at) => at !== 1) }],
	["a missing last row", { rows: good.rows.slice(0, -1) }],
	["nothing at all", { rows: [] }],
	["a row drawn twice", { rows: [...good.rows, ...good.rows.slice(-1)] }],
	[
		"a row drawn twice under another key",
		{ rows: [...good.rows.slice(0, 4), row("again", "user", "typed second"), ...good.rows.slice(4)] },
	],
	["two rows in the wrong order", { rows: [second, first, third, ...rest].flatMap((each) => each ?? []) }],
	["a lost word", { rows: change(1, { text: "One three." }) }],
	["a doubled word", { rows: change(1, { text: "One two two three." }) }],
	["somebody else's words", { rows: change(3, { role: "agent" as const }) }],
	["another command", { rows: change(2, { text: "echo two" }) }],
	["a lost end of an output", { rows: change(2, { output: [lines.slice(0, 6).join("\n"), lines.slice(-9, -1).join("\n")] }) }],
	["a lost beginning of an output", { rows: change(2, { output: [lines.slice(1, 6).join("\n"), lines.slice(-8).join("\n")] }) }],
	["half an output shown as whole", { rows: change(2, { output: [lines.slice(0, 6).join("\n")] }) }],
	["an answer that never ends", { rows: change(4, { state: "busy" as const }) }],
	["a prompt that is never confirmed", { rows: change(3, { state: "waiting" as const }) }],
	["a prompt that waits for a click", { rows: change(3, { state: "stuck" as const }) }],
	["a page that is not connected", { status: "Reconnecting…" }],
	["a typed prompt that is stored nowhere", { typed: [{ text: "typed nowhere", mayBeLost: false }] }],
	["a typed command that is stored nowhere", { typed: [{ text: "!echo nowhere", mayBeLost: false }] }],
])("[FT30] the examiner of the page finds %s", (_, mutant) => {
	expect(examinePage({ ...good, ...mutant }, messages)).not.toEqual([]);
});

test("[FT30] the examiner of the page finds a typed prompt that is stored twice, also when it may be lost", () => {
	const twice = [...messages, said("u4", "typed third", { delivery: "queued" })];
	expect(examinePage(good, twice)).toEqual(['"typed third", typed into the browser\'s page, is stored 2 times.']);
	const lost = { ...good, typed: [{ text: "typed nowhere", mayBeLost: true }] };
	expect(examinePage(lost, messages)).toEqual([]);
	expect(examinePage({ ...good, typed: [{ text: "typed third", mayBeLost: true }] }, twice)).toHaveLength(1);
});

const outage = { from: 1_000, healed: 9_000, noticeMs: 5_000, returnMs: 40_000 };
const sights = (...pairs: [number, string][]) => pairs.map(([at, words]) => ({ at, words }));

test("[FT31] an outage that was named in time and healed by itself has no finding", () => {
	const seen = sights([0, "Connected"], [2_500, "Connecting…"], [4_000, "Reconnecting…"], [12_000, "Connected"]);
	expect(examineStatus(seen, outage)).toEqual([]);
});

test.each([
	["nothing was said", sights([0, "Connected"])],
	["it was said before, not now", sights([500, "Reconnecting…"], [900, "Connected"])],
	["it was said too late", sights([6_001, "Reconnecting…"], [12_000, "Connected"])],
	["it did not come back", sights([2_500, "Reconnecting…"])],
	["it came back only during the outage", sights([2_500, "Reconnecting…"], [5_000, "Connected"], [6_000, "Reconnecting…"])],
	["it came back too late", sights([2_500, "Reconnecting…"], [49_001, "Connected"])],
])("[FT31] the examiner of an outage finds that %s", (_, seen) => {
	expect(examineStatus(seen, outage)).toHaveLength(1);
});
