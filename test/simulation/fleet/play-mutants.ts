import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { copyTree } from "../../mutants/copy-tree.ts";
import { FLEET_MUTANTS, type FleetMutant } from "./mutants.ts";

/** Each mutant is to be found within so many rounds of a fleet. */
const ROUNDS = 500;
const ROOT = resolve(import.meta.dirname, "../../..");

/** `node --import tsx test/simulation/fleet/play-mutants.ts [TEXT]`: builds each bug into a copy and plays rounds of a fleet until it is found. */
const wanted = FLEET_MUTANTS.filter(({ name }) => name.includes(process.argv[2] ?? ""));
const copy = mkdtempSync(join(tmpdir(), "rightseat-simulated-mutants-"));
try {
	copyTree(ROOT, copy);
	const missed = wanted.filter((mutant) => !isFound(mutant));
	console.log(`${wanted.length - missed.length} of ${wanted.length} found within ${ROUNDS} rounds`);
	process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
	rmSync(copy, { recursive: true, force: true });
}

function isFound({ name, file, search, replace }: FleetMutant): boolean {
	const path = join(copy, file);
	const text = readFileSync(path, "utf8");
	writeFileSync(
		path,
		text.replace(search, () => replace),
	);
	const args = ["--rounds", String(ROUNDS), "--only", "fleet", "--no-shrink", "--json"];
	const played = spawnSync(process.execPath, ["--import", "tsx", "test/simulation/run/simulate.ts", ...args], {
		cwd: copy,
		encoding: "utf8",
	});
	writeFileSync(path, text);
	const [failed] = played.status === 1 ? JSON.parse(played.stdout).failed : [];
	console.log(failed === undefined ? `NOT FOUND: ${name}` : `${name}: ${failed.invariant}, seed ${failed.seed}`);
	return failed !== undefined;
}
