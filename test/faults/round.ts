import { scriptedAnswers } from "./answers.ts";
import { browserSays } from "./browser-traffic.ts";
import type { Fault } from "./fault.ts";
import { ANN, emptyHistory, sendCommand, sendPrompt } from "./history.ts";
import type { RoundResult } from "./journal.ts";
import { NAMED_STATE_MS, unshown } from "./named-state.ts";
import { examine } from "./oracle.ts";
import { quiet } from "./quiet.ts";
import { createRandom } from "./random.ts";
import { wait } from "./wait.ts";
import type { World } from "./world.ts";

const STREAM_LIMIT_MS = 5_000;
/** What a round needs at least, to be worth its name after a fault that must wait for its sign. */
const SETTLE_MS = 200;

/** Traffic from two pages and a chat, faults in the middle of it, then peace; at the end every promise is checked. */
export async function playRound(world: World, faults: readonly Fault[], seed: number): Promise<RoundResult> {
	const random = createRandom(seed);
	const began = Date.now();
	const history = emptyHistory();
	world.history = history;
	scriptedAnswers(world, random.between(20, 60));
	const send = (index: number) => sendPrompt(world, `prompt-${seed}-${index}`, random.pick(world.clients));
	const run = (index: number) => sendCommand(world, `command-${seed}-${index}`, "seq 1 2000", random.pick(world.clients));

	send(0);
	run(0);
	const chat = `chat-${seed}`;
	history.chats.push(chat);
	world.telegram.private(ANN).text(chat);
	await wait(random.between(50, 600));
	const strikes: { fault: Fault; at: number }[] = [];
	for (const [index, fault] of faults.entries()) {
		send(2 * index + 1);
		await browserSays(world.page, random, `${seed}-${2 * index}`);
		await untilSomethingStreams(world);
		await wait(random.between(0, 200));
		const strike = { fault, at: Date.now() };
		strikes.push(strike);
		await fault.inject(world, random, () => {
			strike.at = Date.now();
		});
		await wait(random.between(50, 500));
		run(index + 1);
		send(2 * index + 2);
		await browserSays(world.page, random, `${seed}-${2 * index + 1}`);
	}
	for (const fault of faults) await fault.heal?.(world);
	await world.revive();
	await quiet(world);
	await wait(SETTLE_MS);
	await untilNamed(world, strikes);
	const findings = await examine(world, history);
	findings.push(...namedStates(world, strikes));
	// In a combination another fault may end the turn that the rest of the script was for.
	if (faults.length === 1 && world.model.unused > 0) findings.push("The scripted answer was never asked for: the round proves nothing.");
	world.model.forget();
	return {
		seed,
		faults: faults.map((fault) => fault.name),
		prompts: history.prompts.length,
		commands: history.commands.length,
		findings,
		ms: Date.now() - began,
	};
}

/** Peace may come before the time of a name is over. */
async function untilNamed(world: World, strikes: { fault: Fault; at: number }[]): Promise<void> {
	const ends = strikes.flatMap(({ fault, at }) => (fault.shows ?? []).map(({ withinMs = NAMED_STATE_MS }) => at + withinMs));
	while (Date.now() <= Math.max(0, ...ends) && namedStates(world, strikes).length > 0) await wait(50);
}

/** In a combination one fault may hide the other's name, so there any of their names counts for each. */
function namedStates(world: World, strikes: { fault: Fault; at: number }[]): string[] {
	const others = strikes.flatMap(({ fault }) => (fault.shows ?? []).flatMap((shown) => shown.anyOf));
	const signs = world.signs();
	return strikes.flatMap(({ fault, at }) => {
		const expected = (fault.shows ?? []).map((shown) => (strikes.length === 1 ? shown : { ...shown, anyOf: [...shown.anyOf, ...others] }));
		return unshown(expected, signs, at).map((finding) => `${fault.name}: ${finding}`);
	});
}

/** A fault between two answers hits little; most rounds should break something in the middle of a sentence. */
async function untilSomethingStreams(world: World): Promise<void> {
	const limit = Date.now() + STREAM_LIMIT_MS;
	while (Date.now() < limit && world.clients.every((client) => client.view.unfinished === "")) await wait(10);
}
