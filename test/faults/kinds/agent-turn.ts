import { sendPrompt } from "../history.ts";
import type { PageView } from "../page-view.ts";
import { quiet, until } from "../quiet.ts";
import type { World } from "../world.ts";

/** A new process of the agent, and whatever was queued before. */
const ANSWER_LIMIT_MS = 40_000;

/** In peace, so that the agent plays this script now: sends it and waits until a page shows its first words. Gives the moment of sending. */
export async function playOnAgent(world: World, id: string, ...script: string[]): Promise<number> {
	await quiet(world);
	const since = Date.now();
	// The last letters of what was said may be held back until it is certain that they begin no secret.
	sendPrompt(world, [`say begun-${id} as told.`, ...script].join(" ;; "));
	await untilSaid(world, "The agent's turn", `begun-${id} `);
	return since;
}

/** A page was told this since then. */
export const told = (world: World, name: string, since: number) =>
	until(name, () => world.signs().some((sign) => sign.name === name && sign.at >= since));

/** The agent answers again, whatever happened to it. */
export async function answersAgain(world: World, id: string): Promise<void> {
	sendPrompt(world, `again-${id}`);
	await untilSaid(world, "An answer of the agent", `answer to again-${id}`);
}

async function untilSaid(world: World, what: string, words: string): Promise<void> {
	const said = (view: PageView) => [view.unfinished, ...view.lines.slice(-6).filter((line) => line.startsWith("agent:"))];
	const isShown = () => world.clients.some(({ view }) => said(view).some((text) => text.includes(words)));
	await until(what, isShown, ANSWER_LIMIT_MS).catch((error: unknown) => {
		const view = world.clients[1]?.view;
		const lines = view?.lines.slice(-4).map((line) => line.slice(-80));
		const signs = world.clients[1]?.signs.slice(-6).map(({ name }) => name);
		const shown = JSON.stringify({ lines, unfinished: view?.unfinished.slice(-80), waiting: view?.waiting, asks: view?.asks, signs });
		throw new Error(`${error instanceof Error ? error.message : String(error)} The page shows ${shown}.`);
	});
}
