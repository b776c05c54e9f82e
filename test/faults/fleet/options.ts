import { parseArgs } from "node:util";
import { wholeNumber } from "../../support/whole-number.ts";

export interface FleetFaultOptions {
	rounds: number;
	seed: number;
	only: readonly number[] | undefined;
	json: boolean;
	docs: boolean;
	list: boolean;
	mutants: boolean;
	help: boolean;
}

export const FLEET_HELP = `npm run faults -- --fleet [options]

Starts three real NATS servers in a cluster, three real Rightseat servers in one fleet, a scripted model and pages that read by /ws,
and plays the thirty faults of docs/fleet-proof.md, one after the other. After each of them every promise is checked.

  --only 1,2      only these faults
  --rounds N      how often each is played (1)
  --seed N        another seed plays other moments and nodes (1)
  --json          the outcome as JSON on standard output, at the end
  --docs          writes the rows of what was played into docs/fleet-proof.md
  --mutants       breaks the product in three ways, in a copy, and plays the fault that must notice
  --list          names the faults
  --help          this text`;

/** Throws an Error with a sentence for people. */
export function readFleetOptions(argv: string[]): FleetFaultOptions {
	const flag = { type: "boolean", default: false } as const;
	const { values } = parseArgs({
		args: argv,
		options: {
			...{ fleet: flag, json: flag, docs: flag, list: flag, mutants: flag, help: flag },
			rounds: { type: "string", default: "1" },
			seed: { type: "string", default: "1" },
			only: { type: "string" },
		},
	});
	const { json, docs, list, mutants, help } = values;
	return {
		...{ json, docs, list, mutants, help },
		rounds: wholeNumber("--rounds", values.rounds, 1),
		seed: wholeNumber("--seed", values.seed),
		only: values.only?.split(",").map((each) => wholeNumber("--only", each)),
	};
}
