import { loadNative } from "../../packages/changes/src/undo/native.ts";
import { playKilled } from "./killed.ts";
import { readUndoProofOptions, UNDO_PROOF_HELP, type UndoProofOptions } from "./options.ts";
import { playRound } from "./round.ts";
import { runRounds } from "./run-rounds.ts";

const { rounds, seed, killed: kills, replay, help } = optionsOrEnd();

if (help) console.log(UNDO_PROOF_HELP);
else if (replay !== undefined) {
	const counts = playRound(replay, await loadNative());
	console.log(counts);
	process.exitCode = counts.violations.length > 0 ? 1 : 0;
} else {
	const { violations, failedSeed, ...counts } = await runRounds({
		rounds,
		seed,
		onRound: (round) => {
			if (round % 500 === 499) console.log(`${round + 1} of ${rounds} rounds`);
		},
	});
	console.log(counts);
	let [hit, tried] = [0, 0];
	for (let at = 0; at < kills && violations.length === 0; at++) {
		tried++;
		const killed = await playKilled(seed * 1_000 + at);
		if (killed.hit) hit++;
		violations.push(...killed.violations);
	}
	console.log(`${tried} processes killed, ${hit} in the middle of their undo`);
	for (const violation of violations) console.error(violation);
	if (failedSeed !== undefined) console.error(`Play it again: npm run undo-proof -- --replay ${failedSeed}`);
	console.log(
		violations.length === 0 ? `No violation in ${rounds} rounds, seed ${seed}.` : `${violations.length} violations, seed ${seed}.`,
	);
	process.exitCode = violations.length === 0 ? 0 : 1;
}

function optionsOrEnd(): UndoProofOptions {
	try {
		return readUndoProofOptions(process.argv.slice(2));
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : String(error)}\n--help tells the options.`);
		return process.exit(2);
	}
}
