import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { createPatientWork } from "./patient-work.ts";

test("[TG568] what the disk refuses is done when it takes writes again, in order with what came behind it", async () => {
	const clock = createFakeClock();
	const seen: string[] = [];
	let isRefused = true;
	const work = createPatientWork({ clock, onError: (error) => seen.push(String(error)) });
	work.run(() => {
		if (isRefused) throw new AppError("storage-read-only", "The disk is full.");
		seen.push("one");
	});
	work.run(() => {
		throw new TypeError("broken");
	});
	work.run(() => void seen.push("three"));
	await clock.advance(3_000);
	expect(seen).toEqual([]);
	isRefused = false;
	await clock.advance(1_000);
	expect(seen).toEqual(["one", "TypeError: broken", "three"]);
	work.run(() => void seen.push("four"));
	expect(seen.at(-1)).toBe("four");
});
