import { expect, test } from "vitest";
import { play } from "../../agents/model-play.ts";
import { commandOf } from "../../agents/real-agent.ts";
import { REAL_AGENTS } from "../../agents/real-agents.ts";
import { takeSeat } from "../../agents/seat.ts";

/** Quick starters first; one is enough to see that the scripted agent has not become the only one that works. */
const ORDER = ["claude", "codex", "copilot-cli", "kimi", "gemini", "qwen", "cline", "opencode"];
const cached = ORDER.flatMap((id) => REAL_AGENTS.filter((agent) => agent.id === id && commandOf(agent) !== undefined))[0];

test.runIf(cached !== undefined)(
	"[AT11] a real agent that is in the cache already answers, and remembers",
	async () => {
		if (cached === undefined) return;
		const seat = await takeSeat(cached);
		try {
			const talk = await seat.begin();
			expect(await talk.send(play("say Hello from the model.")).ended).toMatchObject({
				outcome: "completed",
				text: "Hello from the model.",
			});
			expect((await talk.send(play("history")).ended).text).toContain("Remembered: say Hello from the model.");
		} finally {
			await seat.close();
		}
		expect(seat.processes()).toEqual([]);
	},
	180_000,
);
