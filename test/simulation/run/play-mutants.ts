import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTree } from "../../mutants/copy-tree.ts";
import { MUTANT_ROUNDS, SIMULATION_MUTANTS, type SimulationMutant } from "../mutants.ts";
import { isMeant } from "./options.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** A mutant may make a round go on for ever. */
const LIMIT_MS = 240_000;

/** How a mutant fared; `hung`: its rounds did not end in time, which says nothing of it. */
export interface MutantVerdict {
	mutant: SimulationMutant;
	verdict: "noticed" | "survived" | "hung";
	/** The promise that was broken first, and in which round. */
	invariant: string;
	rounds: number;
}

/** Plays each in a copy of the sources until a promise is broken. */
export async function playMutants(seed: number, only: string, tell: (verdict: MutantVerdict) => void): Promise<MutantVerdict[]> {
	const chosen = SIMULATION_MUTANTS.filter((mutant) => isMeant(mutant, only));
	const copy = mkdtempSync(join(tmpdir(), "rightseat-simulation-mutants-"));
	const verdicts: MutantVerdict[] = [];
	try {
		copyTree(ROOT, copy);
		for (const mutant of chosen) {
			const verdict = await judge(copy, mutant, seed);
			verdicts.push(verdict);
			tell(verdict);
		}
		return verdicts;
	} finally {
		rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function judge(copy: string, mutant: SimulationMutant, seed: number): Promise<MutantVerdict> {
	const path = join(copy, mutant.file);
	const original = readFileSync(path, "utf8");
	if (original.split(mutant.search).length !== 2) throw new Error(`${mutant.file} does not hold this exactly once: ${mutant.search}`);
	writeFileSync(
		path,
		original.replace(mutant.search, () => mutant.replace),
	);
	// One process, so that the round in which it was noticed is the same every time.
	const rounds = ["--rounds", String(MUTANT_ROUNDS), "--seed", String(seed), "--workers", "1", "--batch", "500", "--json"];
	const ended = await simulate(copy, mutant, rounds).finally(() => writeFileSync(path, original));
	if (ended === undefined) return { mutant, verdict: "hung", invariant: "", rounds: 0 };
	const { output } = ended;
	const found: { rounds: number; failed: { invariant: string; seed: number }[] } = JSON.parse(output.slice(output.indexOf("{")));
	const [failed] = found.failed;
	if (failed === undefined) return { mutant, verdict: "survived", invariant: "", rounds: found.rounds };
	// Without a seed its process has ended in no round that could be played again.
	if (failed.seed >= 0) await checkUnbroken(copy, mutant, failed.seed);
	return { mutant, verdict: "noticed", invariant: failed.invariant, rounds: found.rounds };
}

/** A round that fails without the mutant as well has not noticed it. */
async function checkUnbroken(copy: string, mutant: SimulationMutant, seed: number): Promise<void> {
	const ended = await simulate(copy, mutant, ["--replay", String(seed), "--no-shrink"]);
	if (ended?.code !== 0) throw new Error(`Round ${seed} fails without “${mutant.name}” as well: mend that first.`);
}

function simulate(
	cwd: string,
	{ parts }: SimulationMutant,
	options: readonly string[],
): Promise<{ code: number | null; output: string } | undefined> {
	const program = ["--import", "tsx", "test/simulation/run/simulate.ts", ...options, "--only", ["core", ...parts].join(",")];
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, program, { cwd, stdio: ["ignore", "pipe", "ignore"] });
		let output = "";
		const timer = setTimeout(() => {
			resolve(undefined);
			child.kill("SIGKILL");
		}, LIMIT_MS);
		child.stdout.on("data", (chunk: Buffer) => {
			output += chunk.toString("utf8");
		});
		child.on("error", reject);
		child.on("close", (code) => {
			clearTimeout(timer);
			resolve({ code, output });
		});
	});
}
