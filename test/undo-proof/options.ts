import { parseArgs } from "node:util";
import { wholeNumber } from "../support/whole-number.ts";

export interface UndoProofOptions {
	rounds: number;
	seed: number;
	/** Processes that are killed in their undo when the rounds are over. */
	killed: number;
	/** The seed of one round that is played alone. */
	replay: number | undefined;
	help: boolean;
}

export const UNDO_PROOF_HELP = `npm run undo-proof -- [options]

Plays random histories of four actors and outsiders, with crashes and undos between them, and looks after each that no byte of anybody is
lost and no other path changed; then kills processes in the middle of an undo.

  --rounds N     how many rounds (1000)
  --seed N       another seed plays other rounds (1)
  --killed N     how many processes are killed at the end (20)
  --replay SEED  only the round of this seed, which a failed run prints
  --cases        no rounds: the forty written cases; with --docs, their table is written into docs/undo.md
  --help         this text`;

/** Throws an Error with a sentence for people. */
export function readUndoProofOptions(argv: string[]): UndoProofOptions {
	const { values } = parseArgs({
		args: argv,
		options: {
			rounds: { type: "string", default: "1000" },
			seed: { type: "string", default: "1" },
			killed: { type: "string", default: "20" },
			replay: { type: "string" },
			help: { type: "boolean", default: false },
		},
	});
	return {
		rounds: wholeNumber("--rounds", values.rounds, 1),
		seed: wholeNumber("--seed", values.seed),
		killed: wholeNumber("--killed", values.killed),
		replay: values.replay === undefined ? undefined : wholeNumber("--replay", values.replay),
		help: values.help,
	};
}
