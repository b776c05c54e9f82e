// npm run simulate -- --rounds 10000 --seed 1: the deterministic simulation; --replay SEED plays the one round that failed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./lib/places.mjs";

const run = spawnSync(process.execPath, ["--import", "tsx", join(ROOT, "test/simulation/run/simulate.ts"), ...process.argv.slice(2)], {
	cwd: ROOT,
	stdio: "inherit",
});
process.exitCode = run.status ?? 1;
