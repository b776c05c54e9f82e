import { expect, test } from "vitest";
import { createRunOnce, MAX_REMEMBERED } from "./run-once.ts";

test("[RT108] a call that is delivered twice runs once, and both get its result", async () => {
	const once = createRunOnce<number>();
	let runs = 0;
	const work = async () => ++runs;
	const call = { id: "a", fingerprint: "Bash {}" };
	expect([await once.run(call, work), await once.run(call, work)]).toEqual([1, 1]);
});

test("[RT109] another call under the same id runs, and only so many calls are remembered", async () => {
	const once = createRunOnce<number>();
	let runs = 0;
	const work = async () => ++runs;
	const call = { id: "a", fingerprint: "Bash {}" };
	await once.run(call, work);
	expect(await once.run({ ...call, fingerprint: "Bash {1}" }, work)).toBe(2);
	await once.run(call, work);
	once.forget("a");
	expect(await once.run(call, work)).toBe(4);
	for (let index = 0; index < MAX_REMEMBERED; index += 1) await once.run({ id: String(index), fingerprint: "" }, work);
	expect(await once.run(call, work)).toBe(5 + MAX_REMEMBERED);
});
