import { parseArgs } from "node:util";

export interface FaultOptions {
	rounds: number;
	seed: number;
	only?: string[];
	docs: boolean;
	list: boolean;
	help: boolean;
	browser: boolean;
}

export const HELP = `npm run faults -- [options]

Starts the real server, runtime, shell, a scripted model, a Bot API emulator, a bad network and two pages, and breaks things while
answers stream: every fault alone, then random combinations of two or three; first with Copilot, then with an agent over ACP in the seat.
After each round every promise is checked.

  --rounds N      combinations after the faults alone (20)
  --seed N        another seed plays other moments and combinations; the same one plays the same again (1)
  --only a,b      only these faults, alone and combined
  --no-browser    without the real page in a headless Chromium, and without its faults
  --list          names the faults and what they break
  --docs          writes the outcome into docs/reliability.md
  --help          this text`;

/** Throws an Error with a sentence for people. */
export function readOptions(argv: string[]): FaultOptions {
	const { values } = parseArgs({
		args: argv,
		options: {
			rounds: { type: "string", default: "20" },
			seed: { type: "string", default: "1" },
			only: { type: "string" },
			"no-browser": { type: "boolean", default: false },
			list: { type: "boolean", default: false },
			docs: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	return {
		rounds: wholeNumber("--rounds", values.rounds),
		seed: wholeNumber("--seed", values.seed),
		docs: values.docs,
		list: values.list,
		help: values.help,
		browser: !values["no-browser"],
		...(values.only === undefined ? {} : { only: values.only.split(",") }),
	};
}

function wholeNumber(name: string, given: string): number {
	const parsed = Number(given);
	if (given === "" || !Number.isSafeInteger(parsed) || parsed < 0) throw new Error(`${name} takes a whole number.`);
	return parsed;
}
