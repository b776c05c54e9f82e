import { expect, test } from "vitest";
import { createCommandBed } from "./command-bed-harness.ts";

test("[FL352] a read that is asked for again before its answer is there is carried out once, and its sender gets the answer", async () => {
	const finish: ((frames: string[]) => void)[] = [];
	const bed = createCommandBed({ run: () => new Promise((resolve) => void finish.push(resolve)) });
	const frame = { type: "fleet:read", data: { conversationId: "c1" } };
	const ask = () => bed.console.client.send({ to: bed.owner.keys.host, conversationId: "c1", actor: { origin: "web" }, frame });
	const asked = ask();
	// Long enough for a second try of the same bytes, and a third.
	await bed.clock.advance(4_500);
	expect(bed.owner.ran).toHaveLength(1);
	finish[0]?.(["the answer"]);
	await bed.clock.advance(1);
	expect(await asked).toEqual(["the answer"]);
	const again = ask();
	await bed.clock.advance(1);
	finish[1]?.(["another"]);
	await bed.clock.advance(1);
	expect([await again, bed.owner.ran.length]).toEqual([["another"], 2]);
});
