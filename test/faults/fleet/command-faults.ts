import { subjects } from "../../../packages/server/src/fleet/subjects.ts";
import { text, toolCall } from "../../support/scripted-model-steps.ts";
import { wait } from "../wait.ts";
import type { FleetFault } from "./fault.ts";
import { asOperator, overhear } from "./operator.ts";
import type { Stage } from "./stage.ts";
import { hostsOf } from "./world.ts";

const DAY_MS = 86_400_000;

const stateOfDesk = async ({ world }: Stage) => (await hostsOf(world.seats.laptop)).find(({ name }) => name === "desk")?.state;

export const COMMAND_FAULTS: readonly FleetFault[] = [
	{
		number: 20,
		breaks: "the answer to a prompt lost; sent again",
		expected: "one message",
		async play(stage) {
			const { laptop } = stage.world.seats;
			for (const door of laptop.doors.all) door.freeze("to-client");
			const [id, command] = [stage.prompt("laptop"), stage.run("laptop")];
			await stage.within("the prompt arrived", 10_000, () => stage.pages.desk.view.lines.includes(`user: ${id}`));
			if (stage.pages.laptop.acked.has(id)) stage.find("The answer was not lost: the round proves nothing.");
			// Longer than it is tried at once: the outbox sends it again.
			await wait(20_000);
			for (const door of laptop.doors.all) door.resume();
			await stage.within("the laptop is told that it arrived", 30_000, () =>
				[id, command].every((each) => stage.pages.laptop.acked.has(each)),
			);
		},
	},
	{
		number: 21,
		breaks: "a prompt to an offline host, the console killed and started",
		expected: "still in the outbox, goes out once",
		async play(stage) {
			const { desk, laptop } = stage.world.seats;
			await desk.server.kill();
			await stage.within("desk is offline on laptop", 30_000, async () => (await stateOfDesk(stage)) === "offline");
			const id = stage.prompt("laptop");
			await stage.within("the prompt is in the outbox", 5_000, () => stage.pages.laptop.acked.has(id));
			await laptop.server.kill();
			await laptop.restart();
			const { items } = await (await laptop.server.api("/api/outbox")).json();
			if (items.length !== 1 || items[0].id !== id) stage.find(`After the restart the outbox holds ${JSON.stringify(items).slice(0, 300)}`);
			await desk.restart();
			await stage.within("it went out", 40_000, () => stage.pages.desk.view.lines.includes(`user: ${id}`));
		},
	},
	{
		number: 22,
		breaks: "an abort that arrives after the next turn began",
		expected: "stops nothing",
		async play(stage, random) {
			stage.prompt("laptop", 20);
			await stage.midTurn({ between: () => 3 });
			const first = await turnOf(stage);
			await stage.idle();
			const next = stage.prompt("tower", 60);
			await stage.midTurn(random);
			const { conversationId } = stage.pages.laptop;
			stage.pages.laptop.send({ type: "copilot:abort", data: { conversationId, ...first } });
			await stage.idle();
			const answer = stage.pages.desk.view.lines.at(-1) ?? "";
			if (!answer.includes(`${next}w59`)) stage.find(`The next turn did not reach its end: ${answer.slice(-80)}`);
		},
	},
	{
		number: 23,
		breaks: "two consoles answer one question",
		expected: "the first wins, the other is told",
		async play(stage) {
			stage.world.model.reply(toolCall("ask_user", { question: "Which one?", choices: ["laptop", "tower"] }));
			stage.world.model.reply(text("Thank you."));
			const id = stage.prompt("desk");
			stage.allowAnswers(id, 2);
			const both = [stage.pages.laptop, stage.pages.tower];
			await stage.within("both consoles show the question", 20_000, () => both.every((page) => questionOf(page) !== undefined));
			for (const page of both) {
				const requestId = questionOf(page) ?? "";
				page.send({
					type: "copilot:user_input_response",
					data: { conversationId: page.conversationId, requestId, answer: page.name },
				});
			}
			await stage.idle();
			const told = both.filter((page) => page.heard.some((frame) => frame.type === "error" || frame.type === "copilot:nack"));
			if (told.length !== 1) stage.find(`${told.length} of the two consoles were told that somebody else was first.`);
			const last = stage.world.model.requests.at(-1);
			const answers = JSON.stringify(last?.body.messages.filter(({ role }) => role === "tool") ?? []);
			if (both.filter(({ name }) => answers.includes(name)).length !== 1) stage.find(`The agent was answered ${answers.slice(0, 300)}`);
		},
	},
	{
		number: 24,
		breaks: "a recorded command sent again by the operator, at once and a day later",
		expected: "duplicate or expired; nothing runs",
		async play(stage) {
			const { world } = stage;
			const { desk } = world.seats;
			await asOperator(world, async (connection) => {
				const { heard } = await overhear(connection, subjects.command(world.fleet, desk.id));
				const ids = [stage.run("laptop"), stage.prompt("tower")];
				await stage.within("both are done", 20_000, () => ids.every((id) => Object.values(stage.pages).some((page) => page.acked.has(id))));
				await stage.idle();
				const recorded = heard.slice();
				if (recorded.length < 2) stage.find("Nothing was recorded: the round proves nothing.");
				for (const { subject, bytes } of recorded) connection.publish(subject, bytes);
				await connection.flush();
				await wait(1_000);
				desk.shiftClock(DAY_MS);
				for (const { subject, bytes } of recorded) connection.publish(subject, bytes);
				await connection.flush();
				await wait(1_000);
				stage.note(`${recorded.length} commands sent again, twice`);
			});
			await desk.restart();
		},
	},
];

/** The turn that runs, by the message that it is. */
async function turnOf(stage: Stage): Promise<{ messageId?: string }> {
	const turns = stage.pages.laptop.heard.flatMap((frame) =>
		frame.type === "copilot:stream-status" ? (frame.data.turn?.messageId ?? []) : [],
	);
	const messageId = turns.at(-1);
	if (messageId === undefined) stage.find("No turn was named to the laptop.");
	return messageId === undefined ? {} : { messageId };
}

function questionOf(page: Stage["pages"]["laptop"]): string | undefined {
	return page.heard.flatMap((frame) => (frame.type === "copilot:user_input_request" ? [frame.data.requestId] : [])).at(-1);
}
