import { expect, test } from "vitest";
import { readFleetOptions } from "../faults/fleet/options.ts";
import { readOptions as readFaultOptions } from "../faults/read-options.ts";
import { readSoakOptions } from "../faults/soak-options.ts";
import { readOptions as readSimulationOptions } from "../simulation/run/options.ts";
import { readUndoProofOptions } from "../undo-proof/options.ts";

const READERS = { readFaultOptions, readFleetOptions, readSimulationOptions, readSoakOptions, readUndoProofOptions };
const WITH_ROUNDS = { readFaultOptions, readFleetOptions, readSimulationOptions, readUndoProofOptions };

test.each(Object.entries(READERS))("[AR480] a number that is none is refused by %s", (_, read) => {
	for (const given of ["abc", "", " ", "1.5", "-1", "NaN", "9".repeat(20)])
		expect(() => read([`--seed=${given}`])).toThrow("--seed takes a whole number.");
	expect(read(["--seed", "7"])).toMatchObject({ seed: 7 });
});

test.each(Object.entries(WITH_ROUNDS))("[AR480] no round at all is refused by %s", (_, read) => {
	for (const given of ["0", "many", "-3"]) expect(() => read([`--rounds=${given}`])).toThrow("--rounds takes a whole number above 0.");
	expect(read(["--rounds", "3"])).toMatchObject({ rounds: 3 });
});

test("[AR480] the simulation refuses a part and a mutant that do not exist", () => {
	expect(() => readSimulationOptions(["--only", "core,typo"])).toThrow("There is no part typo.");
	expect(() => readSimulationOptions(["--skip", "typo"])).toThrow("There is no part typo.");
	expect(() => readSimulationOptions(["--mutant", "nowhere"])).toThrow("No mutant holds nowhere.");
	expect(() => readSimulationOptions(["--replay", "typo"])).toThrow("--replay takes a whole number.");
	expect(readSimulationOptions(["--only", "core", "--mutant", "log"])).toMatchObject({ only: ["core"], mutants: true });
	expect(readSimulationOptions([])).toMatchObject({ rounds: 1_000, seed: 1, workers: 2, batch: 25, mutants: false, replay: undefined });
});

test("[AR480] the undo proof takes its numbers", () => {
	expect(readUndoProofOptions([])).toEqual({ rounds: 1_000, seed: 1, killed: 20, replay: undefined, help: false });
	expect(readUndoProofOptions(["--killed", "0", "--replay", "12"])).toMatchObject({ killed: 0, replay: 12 });
	expect(() => readUndoProofOptions(["--killed", "some"])).toThrow("--killed takes a whole number.");
});
