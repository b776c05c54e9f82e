import { expect, test } from "vitest";
import { AppError } from "../../core/kernel/errors.ts";
import { createCommandBed } from "./command-bed-harness.ts";
import { forged, frame, outcome } from "./command-words-harness.ts";

test("[FL297] one release apart everything works in both directions; further apart it is read only, with the reason", async () => {
	const [older, newer, newest] = [
		{ min: 1, max: 1 },
		{ min: 1, max: 2 },
		{ min: 3, max: 3 },
	];
	for (const versions of [
		{ console: newer, owner: older },
		{ console: older, owner: newer },
	]) {
		const bed = createCommandBed({ versions });
		expect([await outcome(bed), bed.owner.ran.map(({ v }) => v)]).toEqual(['{"type":"done"}', [1]]);
	}
	for (const versions of [
		{ console: newest, owner: older },
		{ console: older, owner: newest },
	]) {
		const bed = createCommandBed({ versions });
		expect([await outcome(bed), bed.owner.ran.length]).toEqual(["host-too-old", 0]);
		expect(await outcome(bed, { frame: frame("fleet:read", {}) })).toBe('{"type":"done"}');
		// Also when the card of the other has not been read yet, or lies.
		await forged(bed, { v: versions.console.max });
		expect(bed.owner.audited.map(({ verdict }) => verdict)).toEqual(["host-too-old"]);
	}
	// What it does not know as a command it refuses by name.
	const bed = createCommandBed({ run: ({ frame: { type } }) => Promise.reject(new AppError("unknown-type", "No.", { params: { type } })) });
	expect(await outcome(bed, { frame: frame("copilot:someday", { new: "field" }) })).toBe("unknown-type");
});
