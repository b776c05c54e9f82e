import { parseArgs } from "node:util";
import { wholeNumber } from "../../support/whole-number.ts";
import type { Part } from "../frame/part.ts";
import { SIMULATION_MUTANTS, type SimulationMutant } from "../mutants.ts";
import { PARTS } from "../parts.ts";

export const HELP = `npm run simulate -- [options]

Plays the server, its pages and everything around them in one process, with time, disk, network, model and agent made of one seed, and checks every promise after every step.

  --rounds N     so many rounds (1,000)
  --seed N       of all of them (1)
  --workers N    so many processes (2)
  --only PARTS   only these parts, with commas: ${PARTS.map(({ name }) => name).join(", ")}
  --skip PARTS   not these
  --replay SEED  plays the one round with this seed, with everything that happened
  --keep-going   does not end at the first broken promise
  --no-shrink    prints a failed round as it is
  --counts       how often everything happened
  --json         the result as JSON
  --mutants      breaks the product in every way that test/simulation/mutants.ts lists, and says which rounds noticed
  --mutant TEXT  only those whose name, area or file holds this
  --docs         writes the result into docs/simulation.md, of mutants the rows of those that were played
  --help         this text`;

/** Throws an Error with a sentence for people: what is mistyped would play nothing, or something else, and say that nothing was broken. */
export function readOptions(args: readonly string[]) {
	const { values } = parseArgs({
		args: [...args],
		options: {
			rounds: { type: "string", default: "1000" },
			seed: { type: "string", default: "1" },
			workers: { type: "string", default: "2" },
			only: { type: "string", default: "" },
			skip: { type: "string", default: "" },
			replay: { type: "string" },
			"keep-going": { type: "boolean", default: false },
			"no-shrink": { type: "boolean", default: false },
			counts: { type: "boolean", default: false },
			json: { type: "boolean", default: false },
			mutants: { type: "boolean", default: false },
			mutant: { type: "string", default: "" },
			docs: { type: "boolean", default: false },
			batch: { type: "string", default: "25" },
			help: { type: "boolean", default: false },
		},
	});
	const names = (text: string) => text.split(",").filter((name) => name !== "");
	const unknown = names(`${values.only},${values.skip}`).filter((name) => !PARTS.some((part) => part.name === name));
	if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(", ")}.`);
	if (!SIMULATION_MUTANTS.some((mutant) => isMeant(mutant, values.mutant))) throw new Error(`No mutant holds ${values.mutant}.`);
	return {
		...{ rounds: wholeNumber("--rounds", values.rounds, 1), seed: wholeNumber("--seed", values.seed) },
		...{ workers: wholeNumber("--workers", values.workers, 1), batch: wholeNumber("--batch", values.batch, 1) },
		...{ only: names(values.only), skip: names(values.skip) },
		replay: values.replay === undefined ? undefined : wholeNumber("--replay", values.replay),
		...{ mutants: values.mutants || values.mutant !== "", mutant: values.mutant, docs: values.docs },
		...{ shrinks: !values["no-shrink"], goesOn: values["keep-going"], counts: values.counts, json: values.json, help: values.help },
	};
}
export function isMeant({ area, name, file }: SimulationMutant, only: string): boolean {
	return `${area} ${name} ${file}`.includes(only);
}
export type Options = ReturnType<typeof readOptions>;

/** The core part is always there, because it brings the first host, unless only those are wanted that play alone. */
export function chosenParts({ only, skip }: { only: readonly string[]; skip: readonly string[] }): readonly Part[] {
	const isWanted = ({ name }: Part) => (only.length === 0 || only.includes(name)) && !skip.includes(name);
	// Who is asked for by name is there in every round.
	const wanted = PARTS.filter(isWanted).map((part) => (only.includes(part.name) ? { ...part, joinsEvery: 1 } : part));
	return wanted.every(({ aloneEvery }) => aloneEvery !== undefined)
		? wanted
		: [...PARTS.filter(({ name }) => name === "core" && !wanted.some((part) => part.name === name)), ...wanted];
}
