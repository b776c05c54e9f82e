import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { said } from "../support/said.ts";
import { type Case, check, commandLine, decide, expectOutcome, NOT_FOR_IT, signalAll, stopWithin, waitUntil, writeOf } from "./check.ts";
import { LIFE_CASES } from "./life-cases.ts";
import { play } from "./model-play.ts";
import { ROUND_CASES } from "./round-cases.ts";

/** The promises of the contract for every agent, in the order of the table. */
export const CASES: readonly Case[] = [
	{
		name: "an answer streams and ends once",
		async run(seat) {
			const talk = await seat.begin();
			const turn = await talk.send(play("say Hello from the model.")).ended;
			expectOutcome(turn, "completed");
			check(turn.text === "Hello from the model.", `it said ${JSON.stringify(turn.text)}`);
			return undefined;
		},
	},
	{
		name: "the next prompt knows what was said",
		async run(seat) {
			const talk = await seat.begin();
			await talk.send(play("say one")).ended;
			const turn = await talk.send(play("history")).ended;
			check(turn.text.includes("Remembered: say one"), `it said ${JSON.stringify(turn.text)}`);
			return undefined;
		},
	},
	{
		name: "a prompt that begins with / is answered",
		async run(seat) {
			const talk = await seat.begin();
			const turn = await talk.send(`/etc/hosts is wrong\n${play("say I looked.")}`).ended;
			check(turn.text.includes("I looked."), `it said ${JSON.stringify(turn.text)} and ended as ${turn.outcome}`);
			return undefined;
		},
	},
	{
		name: "our shell runs its commands, with live output",
		async run(seat) {
			if (!seat.agent.seesOurTools) return NOT_FOR_IT;
			const talk = await seat.begin();
			const sent = talk.send(play('tool Bash {"command":"echo from-$((40+2)); sleep 1; echo then"}', "say Ran."));
			await sent.frame("copilot:tool_output");
			const turn = await sent.ended;
			expectOutcome(turn, "completed");
			check(turn.all.includes("from-42"), "the output is not shown");
			check(turn.text.includes("Ran."), `it said ${JSON.stringify(turn.text)}`);
			return undefined;
		},
	},
	{
		name: "our shell is the one of `!cmd`",
		async run(seat) {
			if (!seat.agent.seesOurTools) return NOT_FOR_IT;
			const talk = await seat.begin();
			await talk.send(play('tool Bash {"command":"export SEAT=right"}', "say Set.")).ended;
			const done = talk.ws.next("bash:done");
			talk.ws.send({ type: "bash:exec", data: { conversationId: talk.id, command: "echo seat=$SEAT" } });
			await done;
			check(JSON.stringify(talk.ws.all("bash:output")).includes("seat=right"), "the shells are not the same");
			return undefined;
		},
	},
	{
		name: "an edit is asked for, and a no changes nothing",
		async run(seat) {
			const talk = await seat.begin("ask");
			const file = join(seat.server.workdir, `refused-${Date.now()}.txt`);
			const sent = talk.send(play(`tool ${writeOf(seat, file)}`, "say Over."));
			await decide(talk, sent, "reject");
			const turn = await sent.ended;
			check(!existsSync(file), "the file was written although it was refused");
			return turn.outcome === "completed" ? undefined : `the turn ends as ${turn.outcome}`;
		},
	},
	{
		name: "an edit that is allowed is made",
		async run(seat) {
			const talk = await seat.begin("ask");
			const file = join(seat.server.workdir, `allowed-${Date.now()}.txt`);
			const sent = talk.send(play(`tool ${writeOf(seat, file)}`, "say Over."));
			await decide(talk, sent, "approve-once");
			const turn = await sent.ended;
			expectOutcome(turn, "completed");
			check(existsSync(file) && readFileSync(file, "utf8").includes("words"), "the file is not there");
			return turn.all.includes("copilot:tool_diff") ? undefined : "no diff";
		},
	},
	{
		name: "our shell asks in ask mode, and a no runs nothing",
		async run(seat) {
			if (!seat.agent.seesOurTools) return NOT_FOR_IT;
			const talk = await seat.begin("ask");
			const file = join(seat.server.workdir, `shell-${Date.now()}.txt`);
			const sent = talk.send(play(`tool Bash {"command":"touch ${file}"}`, "say Over."));
			await decide(talk, sent, "reject");
			await sent.ended;
			check(!existsSync(file), "the command ran although it was refused");
			return undefined;
		},
	},
	{
		name: "a stop in the middle of words takes at most 5 s",
		async run(seat) {
			const talk = await seat.begin();
			const sent = talk.send(play("stream 600 100"));
			await sent.frame("copilot:delta");
			return stopWithin(talk, sent.ended, 5000);
		},
	},
	{
		name: "a stop in a command takes at most 5 s, and the command is dead",
		async run(seat) {
			if (!seat.agent.seesOurTools) return NOT_FOR_IT;
			const talk = await seat.begin();
			const sent = talk.send(play('tool Bash {"command":"echo begun; sleep 4321"}', "say Never."));
			await sent.frame("copilot:tool_output");
			const remark = await stopWithin(talk, sent.ended, 5000);
			const turn = await talk.send(play('tool Bash {"command":"pgrep -f \'sleep 432[1]\' || echo none-left"}', "say Looked.")).ended;
			check(turn.all.includes("none-left"), "the command is alive");
			return remark;
		},
	},
	{
		name: "a stop ends a command of its own shell too",
		async run(seat) {
			const { shell } = seat.agent;
			if (shell === undefined) return NOT_FOR_IT;
			const talk = await seat.begin();
			const sent = talk.send(play(`tool =${shell.tool} ${JSON.stringify(shell.args("sleep 4322"))}`, "say Never."));
			await waitUntil(() => talk.processes().some((pid) => commandLine(pid).startsWith("sleep 4322")), "the command does not run");
			const remark = await stopWithin(talk, sent.ended, 5000);
			await waitUntil(() => !talk.processes().some((pid) => commandLine(pid).startsWith("sleep 4322")), "the command goes on");
			return remark;
		},
	},
	{
		name: "a prompt sent meanwhile is queued, and answered after",
		async run(seat) {
			const talk = await seat.begin();
			const sent = talk.send(play("stream 10 100", "say first-done"));
			await sent.frame("copilot:delta");
			talk.send(play("say second-done"));
			const second = await said(talk.ws, "second-done");
			check((await said(talk.ws, "first-done")) < second, "it came out of order");
			return undefined;
		},
	},
	{
		name: "a prompt steered into a turn is answered",
		async run(seat) {
			const talk = await seat.begin();
			const sent = talk.send(play("stream 20 100", "say first-done"));
			await sent.frame("copilot:delta");
			talk.steer(play("say steered-words"));
			const steered = await said(talk.ws, "steered-words");
			await sent.ended;
			const end = talk.ws.frames.findIndex(({ type }) => type === "copilot:idle");
			return steered < end ? "in the same turn" : "queued, as a turn of its own";
		},
	},
	{
		name: "killed in mid-turn: over within 1 s, and it goes on in the same history",
		async run(seat) {
			const talk = await seat.begin();
			await talk.send(play("say before")).ended;
			const sent = talk.send(play("stream 600 100"));
			await sent.frame("copilot:delta");
			const at = performance.now();
			signalAll(talk.processes(), "SIGKILL");
			const turn = await sent.ended;
			const ms = performance.now() - at;
			check(turn.outcome === "interrupted" || turn.outcome === "error", `it ended as ${turn.outcome}`);
			check(turn.text.includes("word1"), "what was said is gone");
			check(ms < 1000, `it took ${Math.round(ms)} ms`);
			const next = await talk.send(play("history")).ended;
			expectOutcome(next, "completed");
			check(next.text.includes("say before"), `it does not remember: ${next.text.slice(0, 100)}`);
			return next.all.includes("history-lost") ? "its history is lost; it is told the last turns" : undefined;
		},
	},
	{
		name: "frozen: over within 30 s",
		async run(seat) {
			const talk = await seat.begin();
			const sent = talk.send(play("stream 600 100"));
			await sent.frame("copilot:delta");
			const at = performance.now();
			signalAll(talk.processes(), "SIGSTOP");
			const turn = await sent.ended;
			check(performance.now() - at < 30_000, "it took longer");
			check(turn.outcome === "interrupted" || turn.outcome === "error", `it ended as ${turn.outcome}`);
			return `${Math.round((performance.now() - at) / 1000)} s`;
		},
	},
	{
		name: "a model that refuses is told in words",
		async run(seat) {
			const talk = await seat.begin();
			const sent = talk.send(play("fail 403"));
			const turn = await Promise.race([sent.ended, sleep(20_000)]);
			if (turn === undefined) {
				talk.stop();
				await sent.ended;
				return "it tries again in silence";
			}
			return turn.outcome === "error" && turn.errors.length > 0
				? undefined
				: `the error comes as ${turn.outcome}: ${turn.text.slice(0, 60)}`;
		},
	},
	...ROUND_CASES,
	...LIFE_CASES,
];
