import { join } from "node:path";
import { parseArgs } from "node:util";
import { wholeNumber } from "../support/whole-number.ts";

export interface SoakOptions {
	hours: number;
	seed: number;
	/** Where the samples are written, one a line, while it runs. */
	samples: string;
	docs: boolean;
	help: boolean;
}

export const SOAK_HELP = `npm run soak -- [options]

Mixed traffic with one fault a minute. Memory and descriptors of the server, the agent runtime, the shell and the recorder of changes,
the number of processes, the database and the rest of the disk are looked at after every round; at the end none may have filled up.

  --hours N        how long (1)
  --seed N         another seed plays other faults (1)
  --samples FILE   where the samples go, one a line, as they are taken (test-results/soak.jsonl)
  --docs           writes the outcome into docs/reliability.md
  --help           this text`;

/** Throws an Error with a sentence for people. */
export function readSoakOptions(argv: string[]): SoakOptions {
	const { values } = parseArgs({
		args: argv,
		options: {
			hours: { type: "string", default: "1" },
			seed: { type: "string", default: "1" },
			samples: { type: "string", default: join("test-results", "soak.jsonl") },
			docs: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	const hours = Number(values.hours);
	if (!(hours > 0 && Number.isFinite(hours))) throw new Error("--hours takes a number above 0.");
	return { hours, seed: wholeNumber("--seed", values.seed), samples: values.samples, docs: values.docs, help: values.help };
}
