import { join } from "node:path";
import { parseArgs } from "node:util";
import { wholeNumber } from "../support/whole-number.ts";

export interface FaultOptions {
	/** Rounds in all; undefined: every fault alone, and some combinations. */
	rounds?: number;
	seed: number;
	only?: string[];
	/** Names of rounds, as every line of a run has them. */
	replay?: string[];
	/** Where each round is written as it ends. */
	journal: string;
	/** Goes on with the run of the journal. */
	continued: boolean;
	docs: boolean;
	list: boolean;
	help: boolean;
	browser: boolean;
}

export const HELP = `npm run faults -- [options]

Starts the real server, runtime, shell, a scripted model, a Bot API emulator, a bad network and two pages, and breaks things while
answers stream: every fault alone, then random combinations of two or three; first with Copilot, then with an agent over ACP in the seat.
After each round every promise is checked.

  --rounds N      rounds in all: every fault alone, and combinations until there are so many (20 combinations)
  --seed N        another seed plays other moments and combinations; the same one plays the same again (1)
  --only a,b      only these faults, alone and combined
  --replay NAMES  only these rounds, by the names that a run prints: kill-server+flood@2300017
  --journal FILE  where each round is kept as it ends (test-results/faults.jsonl)
  --continue      goes on with the run of the journal where it was cut
  --no-browser    without the real page in a headless Chromium, and without its faults
  --list          names the faults and what they break
  --docs          writes the outcome into docs/reliability.md
  --help          this text`;

/** Throws an Error with a sentence for people. */
export function readOptions(argv: string[]): FaultOptions {
	const { values } = parseArgs({
		args: argv,
		options: {
			rounds: { type: "string" },
			seed: { type: "string", default: "1" },
			only: { type: "string" },
			replay: { type: "string" },
			journal: { type: "string", default: join("test-results", "faults.jsonl") },
			continue: { type: "boolean", default: false },
			"no-browser": { type: "boolean", default: false },
			list: { type: "boolean", default: false },
			docs: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.docs && (values.only ?? values.replay) !== undefined) throw new Error("--docs is for a run of all faults.");
	if (values.continue && (values.only ?? values.replay ?? values.rounds) !== undefined)
		throw new Error("--continue plays what the journal says; leave --rounds, --only and --replay out.");
	return {
		seed: wholeNumber("--seed", values.seed),
		journal: values.journal,
		continued: values.continue,
		docs: values.docs,
		list: values.list,
		help: values.help,
		browser: !values["no-browser"],
		...(values.rounds === undefined ? {} : { rounds: wholeNumber("--rounds", values.rounds, 1) }),
		...(values.only === undefined ? {} : { only: values.only.split(",") }),
		...(values.replay === undefined ? {} : { replay: values.replay.split(",") }),
	};
}
