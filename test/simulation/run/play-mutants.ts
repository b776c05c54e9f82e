import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTree } from "../../mutants/copy-tree.ts";
import { MUTANT_ROUNDS, SIMULATION_MUTANTS, type SimulationMutant } from "../mutants.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** A mutant may make a round go on for ever. */
const LIMIT_MS = 240_000;

/** How a mutant fared; `hung`: its rounds did not end, which nobody would merge either. */
export interface MutantVerdict {
	mutant: SimulationMutant;
	verdict: "noticed" | "survived" | "hung";
	/** The promise that was broken first, and in which round. */
	invariant: string;
	rounds: number;
}

/** Plays each in a copy of the sources until a promise is broken. */
export async function playMutants(seed: number, only: string, tell: (verdict: MutantVerdict) => void): Promise<MutantVerdict[]> {
	const chosen = SIMULATION_MUTANTS.filter(({ area, name, file }) => `${area} ${name} ${file}`.includes(only));
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
	try {
		const output = await played(copy, mutant, seed);
		if (output === undefined) return { mutant, verdict: "hung", invariant: "", rounds: 0 };
		const found: { rounds: number; failed: { invariant: string }[] } = JSON.parse(output.slice(output.indexOf("{")));
		const [failed] = found.failed;
		return { mutant, verdict: failed === undefined ? "survived" : "noticed", invariant: failed?.invariant ?? "", rounds: found.rounds };
	} finally {
		writeFileSync(path, original);
	}
}

/** One process, so that the round in which it was noticed is the same every time. */
function played(cwd: string, { parts }: SimulationMutant, seed: number): Promise<string | undefined> {
	const options = ["--rounds", String(MUTANT_ROUNDS), "--seed", String(seed), "--workers", "1", "--batch", "500", "--json"];
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
		child.on("close", () => {
			clearTimeout(timer);
			resolve(output);
		});
	});
}
