import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SEED } from "../../support/seed.ts";
import { createTelegramBed } from "./telegram-harness.ts";

const FAULTS = {
	none: undefined,
	wait: { code: 429, retryAfter: 5 },
	lostBefore: { dropBefore: true },
	lostAfter: { dropAfter: true },
	entities: { code: 400, description: "Bad Request: can't parse entities" },
	server: { code: 502, description: "Bad Gateway" },
} as const;
type FaultName = keyof typeof FAULTS;
const names: FaultName[] = ["none", "wait", "lostBefore", "lostAfter", "entities", "server"];

const step = fc.record({ fault: fc.constantFrom(...names), crash: fc.constantFrom("no", "before the end", "after the end") });

test("[TG31] whatever is lost or dies on the way, an answer is never doubled, and one that may be missing is told", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
			let bed = await createTelegramBed();
			try {
				for (const [index, { fault, crash }] of steps.entries()) {
					const turn = await bed.ask(`question ${index}`);
					turn.text(`answer **${index}**`);
					await bed.tick();
					if (crash === "before the end") bed = await bed.crash();
					else {
						const armed = FAULTS[fault];
						if (armed !== undefined) bed.api.fault("sendMessage", { ...armed, text: `answer ${index}` });
						turn.end();
						await bed.tick();
						if (crash === "after the end") bed = await bed.crash();
					}
					await bed.advance(8_000, 2_000);
					bed.api.clearFaults();
				}
				const texts = bed.said().map((message) => message.text);
				const inDoubt = texts.filter((text) => text.includes("may not have arrived"));
				const lost = steps.filter(
					({ fault, crash }) => crash !== "before the end" && ["lostBefore", "lostAfter", "server"].includes(fault),
				);
				expect(inDoubt).toHaveLength(lost.length);
				for (const [index, { fault, crash }] of steps.entries()) {
					const count = texts.filter((text) => text.startsWith(`answer ${index}`)).length;
					const isMissing = crash !== "before the end" && (fault === "lostBefore" || fault === "server");
					expect(count, `answer ${index} after ${fault}, crash ${crash}`).toBe(isMissing ? 0 : 1);
				}
				for (const notice of bed.said().filter((message) => message.buttons.length > 0)) bed.ann.tap(notice, "Send it again");
				await bed.advance(2_000, 500);
				for (const index of steps.keys()) expect(bed.said().some((message) => message.text.startsWith(`answer ${index}`))).toBe(true);
			} finally {
				await bed.close();
			}
		}),
		{ numRuns: 12, seed: SEED },
	);
});
