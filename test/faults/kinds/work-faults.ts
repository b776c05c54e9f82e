import { inboxAnswer } from "@rightseat/protocol/http/inbox";
import { text, toolCall } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { until } from "../quiet.ts";
import { sendSignal } from "../send-signal.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";
import { besideThePages, killServer, type Side, sideAnswers } from "./side.ts";

const LOST = [{ anyOf: ["lost"] }];

/** Work that goes on without a person: sub-agents and schedules. */
export const WORK_FAULTS: Fault[] = [
	besideThePages({
		name: "sub-agent-kill-server",
		breaks: "the server is killed while a sub-agent runs a command",
		...{ shows: LOST, restarts: true },
		play: (side, world, random, struck) => delegate(side, world, random.between(0, 1e9), () => killServer(world, struck)),
	}),
	besideThePages({
		name: "sub-agent-kill-runtime",
		breaks: "the agent runtime is killed while a sub-agent runs a command",
		shows: [{ anyOf: ["error:runtime-died", "runtime:restarting"] }],
		play: (side, world, random, struck) =>
			delegate(side, world, random.between(0, 1e9), async () => {
				struck();
				sendSignal(world.pids("runtime"), "SIGKILL");
			}),
	}),
	besideThePages({
		name: "schedule-missed",
		breaks: "a schedule is due while the server is down",
		restarts: true,
		shows: [{ anyOf: ["schedule-missed"] }],
		async play(side, world, random, struck) {
			const prompt = `scheduled-${random.between(0, 1e9)}`;
			const id = await schedule(world, side, prompt, 1_500);
			await world.server.kill("SIGKILL");
			await wait(2_000);
			await world.revive();
			struck();
			await until("The missed schedule in the inbox", async () => (await missed(world)).includes(id), 10_000);
			world.note("schedule-missed");
			if ((await count(side, prompt)) !== 0) throw new Error("What was missed was made up for by surprise.");
			await world.server.api(`/api/schedules/${id}/missed`, { method: "POST", json: { decision: "run" } });
			await until("The run", async () => (await count(side, prompt)) === 1, 20_000);
			await side.settled();
			await world.server.api(`/api/schedules/${id}`, { method: "DELETE" });
		},
		tidy: forgetSchedules,
	}),
	besideThePages({
		name: "schedule-kill-when-due",
		breaks: "the server is killed in the moment in which a schedule is due",
		...{ restarts: true, shows: LOST },
		async play(side, world, random, struck) {
			const prompt = `due-${random.between(0, 1e9)}`;
			const id = await schedule(world, side, prompt, 1_500);
			await wait(1_450 + random.between(0, 120));
			await killServer(world, struck);
			await side.settled();
			// Sent, or missed and told: one of both, and never twice.
			await until(
				"The fate of the schedule",
				async () => (await count(side, prompt)) + Number((await missed(world)).includes(id)) > 0,
				15_000,
			);
			const isMissed = (await missed(world)).includes(id);
			if (isMissed) await world.server.api(`/api/schedules/${id}/missed`, { method: "POST", json: { decision: "skip" } });
			const sent = await count(side, prompt);
			if (sent > 1 || (sent === 1 && isMissed))
				throw new Error(`A schedule was sent ${sent} times${isMissed ? " and is called missed" : ""}.`);
			await side.settled();
			await world.server.api(`/api/schedules/${id}`, { method: "DELETE" });
		},
		tidy: forgetSchedules,
	}),
];

/** A sub-agent runs a command when it is struck; afterwards it is shown as stopped, the command ran once, and the conversation answers. */
async function delegate(side: Side, world: World, mark: number, strike: () => Promise<void>): Promise<void> {
	world.model.reply(toolCall("task", { agent_type: "general-purpose", name: "helper", description: "d", prompt: `Look at ${mark}.` }));
	world.model.reply(text("I look. "), toolCall("Bash", { command: `echo sub-${mark} >> "${world.server.workdir}/ran.log"; sleep 60` }));
	side.say(`delegate-${mark}`);
	await until("The sub-agent's command", () => world.ran().has(`sub-${mark}`), 40_000);
	await strike();
	const messages = await side.settled();
	const working = messages
		.flatMap((message) => (message.role === "assistant" ? (message.metadata.subAgents ?? []) : []))
		.filter(({ state }) => state === "started");
	if (working.length > 0) throw new Error(`${working.length} sub-agents are shown as working although nothing runs.`);
	await sideAnswers(side, String(mark));
}

async function schedule(world: World, side: Side, prompt: string, inMs: number): Promise<string> {
	const at = new Date(Date.now() + inMs).toISOString();
	const made = await world.server.api("/api/schedules", { method: "POST", json: { prompt, at, conversationId: side.id } });
	if (made.status !== 201) throw new Error(`The schedule was refused with ${made.status}: ${await made.text()}`);
	return Object(await made.json()).schedule.id;
}

async function missed(world: World): Promise<(string | undefined)[]> {
	const { items } = inboxAnswer.parse(await (await world.server.api("/api/inbox")).json());
	return items.flatMap((item) => (item.kind === "schedule-missed" ? [item.scheduleId] : []));
}

const count = async (side: Side, prompt: string) =>
	(await side.messages()).filter((message) => message.role === "user" && message.content === prompt).length;

async function forgetSchedules(world: World): Promise<void> {
	const { schedules } = Object(await (await world.server.api("/api/schedules")).json());
	for (const { id } of schedules) await world.server.api(`/api/schedules/${id}`, { method: "DELETE" });
}
