import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTakeTurns } from "./take-turns.ts";

function bed(limits: { ofHost: number; all: number }) {
	const take = createTakeTurns(limits);
	const [begun, ends]: [string[], Map<string, () => void>] = [[], new Map()];
	const read = (host: string, name: string, fails = false) =>
		take(host, () => {
			begun.push(name);
			return new Promise<string>((resolve, reject) => ends.set(name, () => (fails ? reject(new Error(name)) : resolve(name))));
		});
	const end = async (name: string) => {
		ends.get(name)?.();
		await turn();
	};
	return { read, begun, end };
}

test("[FL351] of one host and of all only so many reads are under way; the rest wait in their order, and no host waits for another", async () => {
	const { read, begun, end } = bed({ ofHost: 2, all: 3 });
	const done = [read("a", "a1"), read("a", "a2"), read("a", "a3"), read("b", "b1"), read("b", "b2"), read("a", "a4")];
	await turn();
	expect(begun).toEqual(["a1", "a2", "b1"]);
	await end("b1");
	// The oldest that may: a has two already.
	expect(begun).toEqual(["a1", "a2", "b1", "b2"]);
	await end("a2");
	await end("a1");
	expect(begun).toEqual(["a1", "a2", "b1", "b2", "a3", "a4"]);
	for (const name of ["b2", "a3", "a4"]) await end(name);
	expect(await Promise.all(done)).toEqual(["a1", "a2", "a3", "b1", "b2", "a4"]);
});

test("[FL351] one that fails gives its place to the next", async () => {
	const { read, begun, end } = bed({ ofHost: 1, all: 1 });
	const failed = read("a", "a1", true).catch(String);
	const next = read("b", "b1");
	await turn();
	await end("a1");
	expect([await failed, begun]).toEqual(["Error: a1", ["a1", "b1"]]);
	await end("b1");
	expect(await next).toBe("b1");
});
