import type { Fault } from "./fault.ts";
import { createRandom, type Random } from "./random.ts";
import type { Pilot } from "./world.ts";

/** One round as it is to be played; its name says everything that is needed to play it again. */
export interface PlannedRound {
	pilot: Pilot;
	seed: number;
	faults: string[];
}

/** Room for the rounds of one seed. */
const ROUNDS_OF_A_SEED = 100_000;

/** `kill-server+flood@2300017`: what `--replay` takes. */
export const roundName = ({ faults, seed }: Pick<PlannedRound, "faults" | "seed">) => `${faults.join("+")}@${seed}`;

/** The round of such a name; undefined when it names no fault that there is. */
export function readRoundName(name: string, all: readonly Fault[]): PlannedRound | undefined {
	const [, names = "", seed] = /^([\w+-]+)@(\d+)$/.exec(name) ?? [];
	const faults = names.split("+");
	const known = faults.flatMap((each) => all.filter((fault) => fault.name === each));
	if (seed === undefined || known.length !== faults.length) return undefined;
	return { pilot: known.some((fault) => fault.pilot === "acp") ? "acp" : "copilot", seed: Number(seed), faults };
}

/**
 * Every fault alone, then combinations of two or three until there are so many rounds. In the combinations of a pilot each of its faults is taken
 * once before any is taken again, so all of them are played about equally often.
 */
export function planRounds(options: {
	rounds: number;
	seed: number;
	/** The faults of each pilot. */
	own: Readonly<Record<Pilot, readonly string[]>>;
	/** What an agent's faults are combined with beside each other. */
	companions: readonly string[];
}): PlannedRound[] {
	const { own, seed } = options;
	const random = createRandom(seed);
	const faults = own.copilot.length + own.acp.length;
	const combinations = Math.max(0, options.rounds - faults);
	const ofAgents = faults === 0 ? 0 : Math.round((combinations * own.acp.length) / faults);
	const rounds = [
		...ofPilot("copilot", own.copilot, [], combinations - ofAgents, random),
		...ofPilot("acp", own.acp, options.companions, ofAgents, random),
	];
	return rounds.map((round, index) => ({ ...round, seed: seed * ROUNDS_OF_A_SEED + index }));
}

function ofPilot(pilot: Pilot, own: readonly string[], companions: readonly string[], combinations: number, random: Random) {
	const alone = own.map((name) => [name]);
	const [first, beside] = [createBag(own, random), createBag(companions, random)];
	const combined = Array.from({ length: own.length === 0 ? 0 : combinations }, () => {
		const taken = [first.take([])];
		for (let more = random.between(1, 2); more > 0; more -= 1) {
			const bag = companions.length > 0 && random.next() < 0.5 ? beside : first;
			taken.push(bag.take(taken));
		}
		return taken.flatMap((name) => name ?? []);
	});
	return [...alone, ...combined].map((faults) => ({ pilot, faults }));
}

/** Gives each item once, in any order, before it gives one again. */
function createBag(items: readonly string[], random: Random): { take(except: readonly (string | undefined)[]): string | undefined } {
	const left: string[] = [];
	return {
		take(except) {
			if (!left.some((item) => !except.includes(item))) left.push(...random.some(items, items.length));
			const at = left.findIndex((item) => !except.includes(item));
			return at < 0 ? undefined : left.splice(at, 1)[0];
		},
	};
}
