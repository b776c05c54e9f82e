import { existsSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { SESSION_IDLE_MS } from "../../../packages/server/src/core/turns/held-sessions.ts";
import { type CoreBed, createCoreBed } from "../../support/core.ts";
import { useAcp } from "../agent/acp-harness.ts";

const start = useAcp();
const beds: CoreBed[] = [];
afterEach(async () => {
	for (const bed of beds.splice(0)) await bed.close();
});

/** Core with a clock that the test moves, over an agent whose process is real. */
async function begin() {
	const { runtime, home } = start();
	const bed = await createCoreBed({ workdir: () => home }, undefined, { scripted: runtime });
	beds.push(bed);
	const id = conversationId((await bed.conversations.create({ agent: "scripted" })).id);
	const watcher = bed.watch(id);
	let ended = 0;
	/** The answer to this prompt, when its turn has ended; the clock stands still meanwhile. */
	async function ask(prompt: string): Promise<string> {
		bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
		ended += 1;
		await expect
			.poll(async () => {
				await bed.clock.settle();
				return watcher.of("copilot:idle").length;
			})
			.toBe(ended);
		return watcher.of("copilot:message").at(-1)?.content ?? "";
	}
	return { bed, ask };
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

test("[AG300] a conversation that nobody uses lets the agent's process go after ten minutes, and the next prompt has its history", async () => {
	const { bed, ask } = await begin();
	const { pid } = JSON.parse(await ask("where"));
	const daemon = Number(/\d+/.exec(await ask("daemon")));
	await bed.clock.advance(SESSION_IDLE_MS - 1_000);
	expect([pid, daemon].map(isAlive)).toEqual([true, true]);
	await bed.clock.advance(1_000);
	await expect.poll(() => [pid, daemon].map(isAlive)).toEqual([false, false]);
	expect(await ask("history")).toContain("Remembered: where");
	expect(SESSION_IDLE_MS).toBe(600_000);
});
