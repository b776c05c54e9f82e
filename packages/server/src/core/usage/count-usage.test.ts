import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed, type Watcher } from "../../../../../test/support/core.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { dayOf } from "./limits.ts";

let bed: CoreBed;
let id: ConversationId;
let watcher: Watcher;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
	watcher = bed.watch(id);
});
afterEach(() => bed.close());

const used = (inputTokens: number, outputTokens: number, cost?: number) =>
	({ kind: "usage", inputTokens, outputTokens, model: "model-a", ...(cost === undefined ? {} : { cost }) }) as const;

async function begin() {
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	return bed.runtime.nextTurn();
}
/** A whole turn that uses so much. */
async function spend(tokens: number, cost?: number): Promise<void> {
	const turn = await begin();
	turn.emit(used(tokens - 1, 1, cost));
	turn.end();
	await bed.clock.advance(100);
}

test("[US1] [US2] [US6] what is stored is counted once, by every key, over crashes and in the bounds of days", async () => {
	await spend(30, 0.1);
	await spend(12, 0.2);
	const [opened] = bed.runtime.opened;
	const today = dayOf(bed.clock.now());
	bed.clock.jump(86_400_000);
	const tomorrow = dayOf(bed.clock.now());
	opened?.onLateUsage({ inputTokens: 5, outputTokens: 0, model: "small" });
	const list = (by: "day" | "model" | "agent" | "conversation", range = {}) => bed.conversations.usage({ by, ...range });
	const all = () => [list("day"), list("model"), list("agent"), list("conversation")];
	const before = all();
	expect(before).toEqual([
		[
			{ key: today, inputTokens: 40, outputTokens: 2, cost: 0.3 },
			{ key: tomorrow, inputTokens: 5, outputTokens: 0 },
		],
		[
			{ key: "model-a", inputTokens: 40, outputTokens: 2, cost: 0.3 },
			{ key: "small", inputTokens: 5, outputTokens: 0 },
		],
		[{ key: "copilot", inputTokens: 45, outputTokens: 2, cost: 0.3 }],
		[{ key: id, inputTokens: 45, outputTokens: 2, cost: 0.3, title: "Go" }],
	]);
	expect(list("day", { from: tomorrow })).toHaveLength(1);
	expect(list("day", { from: today, to: today })).toHaveLength(1);
	bed = bed.afterCrash();
	expect(all()).toEqual(before);
});

test("[US3] what a deleted conversation used stays counted", async () => {
	await spend(30);
	const deleted = bed.conversations.delete(id);
	await bed.clock.advance(100);
	await deleted;
	expect(bed.conversations.usage({ by: "agent" })).toMatchObject([{ inputTokens: 29, outputTokens: 1 }]);
	expect(bed.conversations.usage({ by: "conversation" })).toEqual([{ key: id, inputTokens: 29, outputTokens: 1 }]);
});

test("[US4] whatever an agent says about itself, no sum breaks and the turn is stored", async () => {
	const turn = await begin();
	const wild = [1e308, -5, 0.4, Number.MAX_SAFE_INTEGER].map((tokens) => ({ ...used(tokens, tokens, tokens), model: "m".repeat(5_000) }));
	turn.emit(...wild, ...Array.from({ length: 50 }, () => used(1e300, 1e300, 1e300)));
	turn.end();
	await bed.clock.advance(100);
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "completed" }]);
	const rows = bed.conversations.usage({ by: "model" });
	expect(Math.max(...rows.map(({ key }) => key.length))).toBe(200);
	for (const { inputTokens, cost } of rows) expect(Number.isSafeInteger(inputTokens) && (cost ?? 0) >= 0).toBe(true);
	expect(rows.find(({ key }) => key.length === 200)?.inputTokens).toBe(20_000_000_000);
});
