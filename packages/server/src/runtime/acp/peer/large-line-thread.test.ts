import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { createLargeLineThread, IDLE_MS } from "./large-line-thread.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("[AC412] a thread that is not used leaves after a minute, and the next line has another", async () => {
	const clock = createFakeClock();
	const thread = createLargeLineThread(clock);
	for (const line of ["{}", '{"a":[1]}']) {
		thread.part(bytesOf(line));
		expect(await thread.end()).toEqual({ kind: "read", value: JSON.parse(line), isCut: false });
		expect(clock.pending()).toBe(1);
		await clock.advance(IDLE_MS);
		expect(clock.pending()).toBe(0);
	}
	thread.close();
});

test("[AC412] a line whose thread is closed is told as failed, a dropped one leaves nothing to the next, and what was given may be used again", async () => {
	const thread = createLargeLineThread(createFakeClock());
	const bytes = bytesOf('{"a":');
	thread.part(bytes);
	thread.drop();
	thread.part(bytes);
	bytes.fill(0);
	thread.part(bytesOf("2}"));
	expect(await thread.end()).toMatchObject({ value: { a: 2 } });
	thread.part(bytesOf("{}"));
	const cut = thread.end();
	thread.close();
	expect(await cut).toEqual({ kind: "failed" });
});
