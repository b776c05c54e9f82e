import { setTimeout as sleep } from "node:timers/promises";
import { type Case, check, expectOutcome, waitUntil } from "./check.ts";
import { play } from "./model-play.ts";

/** What becomes of an agent when its conversation or the server ends. The last one ends the server. */
export const LIFE_CASES: readonly Case[] = [
	{
		name: "nothing of it outlives its conversation",
		async run(seat) {
			const talk = await seat.begin();
			await talk.send(play("say here")).ended;
			check(talk.processes().length > 0, "there is no process to look for");
			await seat.clear();
			await waitUntil(() => talk.processes().length === 0, `${talk.processes().length} processes are left`);
			return undefined;
		},
	},
	{
		name: "the server killed in mid-turn: what was shown is kept, and it goes on in the same history",
		async run(seat) {
			const before = await seat.begin();
			await before.send(play("say before")).ended;
			const sent = before.send(play("stream 600 100"));
			sent.ended.catch(() => undefined);
			await sent.frame("copilot:delta");
			const old = before.processes();
			const talk = await seat.restart(before);
			const { messages } = await (await seat.server.api(`/api/conversations/${talk.id}/messages`)).json();
			const cut = messages.at(-1);
			check(
				cut.metadata.outcome === "interrupted" && cut.content.includes("word1"),
				`the turn is stored as ${JSON.stringify(cut).slice(0, 200)}`,
			);
			await waitUntil(() => !talk.processes().some((pid) => old.includes(pid)), "the old agent lives on");
			const next = await talk.send(play("history")).ended;
			expectOutcome(next, "completed");
			check(next.text.includes("say before"), `it does not remember: ${next.text.slice(0, 100)}`);
			return next.all.includes("history-lost") ? "its history is lost; it is told the last turns" : undefined;
		},
	},
	{
		name: "nothing of it outlives the server",
		async run(seat) {
			const talk = await seat.begin();
			await talk.send(play("say here")).ended;
			check(seat.processes().length > 0, "there is no process to look for");
			await seat.server.kill("SIGTERM");
			await sleep(1000);
			const left = seat.processes();
			check(left.length === 0, `${left.length} processes are left`);
			return undefined;
		},
	},
];
