import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { createSendQueue } from "./send-queue.ts";

test("[TG73] while the disk refuses nothing is sent to a chat, and what was sent is noted when it takes it again", async () => {
	const clock = createFakeClock();
	let refuses = true;
	const done: string[] = [];
	const store = (what: string) => {
		if (refuses) throw new AppError("storage-read-only", "The disk is full.");
		done.push(what);
	};
	const queue = createSendQueue({ clock, isGroup: false, onIdle: () => undefined });
	queue.send("one", {
		async run() {
			store("begun");
			done.push("sent");
			refuses = true;
			return { kind: "ok", result: true };
		},
		settle: () => store("noted"),
	});
	await clock.advance(3_000);
	expect(done).toEqual([]);
	refuses = false;
	await clock.advance(1_000);
	expect(done).toEqual(["begun", "sent"]);
	refuses = false;
	await clock.advance(1_000);
	expect(done).toEqual(["begun", "sent", "noted"]);
	expect(queue.idle()).toBe(true);
	queue.close();
});
