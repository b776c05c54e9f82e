import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { randomIds } from "../kernel/ids.ts";
import { createLongAnswers, fetchWhole, HELD_MS, LATER_MS, MAX_HELD_ANSWERS, MAX_HELD_CHARS, PART_CHARS } from "./long-answers.ts";

function createBed() {
	const clock = createFakeClock();
	const answers = createLongAnswers({ clock, ids: randomIds });
	const asked: object[] = [];
	const ask = (from: string) => (frame: { type: string; data?: Record<string, unknown> }) => {
		asked.push(frame);
		return answers.part(from, String(frame.data?.id), Number(frame.data?.part));
	};
	const get = (work: Promise<string[]>, from = "h1") => fetchWhole(ask(from), answers.give(from, work));
	return { clock, answers, asked, ask, get };
}

test("[FL201] an answer comes whole, in as many parts as it needs, whatever characters it has", async () => {
	const { get, asked } = createBed();
	expect(await get(Promise.resolve(["short", "lines"]))).toEqual(["short", "lines"]);
	expect(asked).toEqual([]);
	const long = ["a", '\ud83d\ude80\u0000"字\ud800'.repeat(PART_CHARS / 2), "z"];
	expect(await get(Promise.resolve(long))).toEqual(long);
	expect(asked.length).toBeGreaterThan(3);
});

test("[FL290] where the engine takes less, a part of an answer is smaller, and stays as it was when the engine changes", async () => {
	const [clock, sizes] = [createFakeClock(), [] as number[]];
	let maxBytes = 131_072;
	const answers = createLongAnswers({ clock, ids: randomIds, maxBytes: () => maxBytes });
	const long = ['\u0000"字'.repeat(30_000), "z"];
	const first = answers.give("h1", Promise.resolve(long));
	const ask = async ({ data }: { data?: Record<string, unknown> }) => {
		maxBytes = 921_600;
		const lines = await answers.part("h1", String(data?.id), Number(data?.part));
		sizes.push(Buffer.byteLength(JSON.stringify(JSON.stringify(lines))));
		return lines;
	};
	expect(await fetchWhole(ask, first)).toEqual(long);
	expect(Math.max(...sizes)).toBeLessThan(131_072);
});

test("[FL201] an answer that takes its time is fetched when it is there, also one that fails", async () => {
	const { get, clock } = createBed();
	let finish: (lines: string[]) => void = () => undefined;
	const slow = get(new Promise<string[]>((resolve) => (finish = resolve)));
	await clock.advance(3 * LATER_MS);
	finish(["done"]);
	await clock.advance(0);
	expect(await slow).toEqual(["done"]);
	let fail: (error: Error) => void = () => undefined;
	const failing = get(new Promise<string[]>((_, reject) => (fail = reject)));
	failing.catch(() => undefined);
	await clock.advance(LATER_MS + 1);
	fail(new Error("no"));
	await expect(failing).rejects.toThrow("no");
});

test("[FL201] a held answer is only for who asked, and held answers are bounded in number, characters and time", async () => {
	const { answers, ask, clock } = createBed();
	const long = (fill: string) => answers.give("h1", Promise.resolve([fill.repeat(2 * PART_CHARS)]));
	const [line = "{}"] = await long("a");
	const { id } = JSON.parse(line).data;
	const part = (from: string) => ask(from)({ type: "fleet:part", data: { id, part: 1 } });
	await expect(part("h2")).rejects.toMatchObject({ code: "command-expired" });
	expect((await part("h1"))[0]?.length).toBe(PART_CHARS);
	for (let index = 0; index < MAX_HELD_ANSWERS; index++) await long("b");
	await expect(part("h1")).rejects.toMatchObject({ code: "command-expired" });
	await answers.give("h1", Promise.resolve(["c".repeat(MAX_HELD_CHARS - PART_CHARS)]));
	expect(answers.heldChars()).toBeLessThanOrEqual(MAX_HELD_CHARS);
	await expect(answers.give("h1", Promise.resolve(["d".repeat(MAX_HELD_CHARS)]))).rejects.toMatchObject({ code: "too-large" });
	await clock.advance(HELD_MS + 1);
	await long("e");
	expect(answers.heldChars()).toBeLessThan(3 * PART_CHARS);
});

test("[FL293] answers that wait for a host that is out are gone, and those for others are not", async () => {
	const { answers } = createBed();
	const idOf = async (from: string) =>
		JSON.parse((await answers.give(from, Promise.resolve(["x".repeat(2 * PART_CHARS)])))[0] ?? "").data.id;
	const [ours, theirs] = [await idOf("h1"), await idOf("h2")];
	answers.forget("h1");
	await expect(answers.part("h1", ours, 1)).rejects.toMatchObject({ code: "command-expired" });
	expect((await answers.part("h2", theirs, 1))[0]?.length).toBe(PART_CHARS);
});
