import { expect, test } from "vitest";
import { createCommandMemory } from "./command-memory.ts";
import { createFences, MAX_FENCES } from "./fences.ts";

test("[FL82] the memory of commands is bounded for all, for one host and in characters", async () => {
	let time = 0;
	const memory = createCommandMemory(() => time, { commands: 3, perHost: 2, chars: 60 });
	const begin = (key: string, from: string) => memory.begin(key, { from, fingerprint: "f", until: 10 }).kind;
	expect([begin("1", "a"), begin("2", "a"), begin("3", "a"), begin("4", "b"), begin("5", "c"), begin("1", "a")]).toEqual([
		...["new", "new", "full", "new", "full", "known"],
	]);
	memory.end("1", { kind: "done", frames: ["x".repeat(20)] }, false);
	memory.end("2", { kind: "done", frames: ["y".repeat(20)] }, false);
	const known = memory.begin("2", { from: "a", fingerprint: "f", until: 10 });
	expect(known.kind === "known" && (await known.result)).toEqual({ kind: "done", frames: [] });
	time = 11;
	expect([begin("6", "a"), begin("7", "a"), begin("4", "b"), begin("8", "c")]).toEqual(["new", "new", "known", "full"]);
});

test("[FL78] the highest fence is kept before it counts, a lower one does not pass, and leases are bounded in number", () => {
	const kept: [string, number][] = [];
	const fences = createFences(new Map([["a", 5]]), (lease, number) => kept.push([lease, number]));
	expect([fences.pass("a", 4), fences.pass("a", 5), fences.pass("a", 6), fences.highest("a"), kept]).toEqual([
		false,
		true,
		true,
		6,
		[["a", 6]],
	]);
	for (let index = 0; index < MAX_FENCES; index++) fences.pass(`l${index}`, 1);
	expect(fences.pass("one more", 1)).toBe(false);
});
