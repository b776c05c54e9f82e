// npm run undo-proof -- --rounds 10000 --seed 1: the random test of undo at length; --replay SEED plays the one round that failed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./lib/places.mjs";

const run = spawnSync(process.execPath, ["--import", "tsx", join(ROOT, "test/undo-proof/undo-proof.ts"), ...process.argv.slice(2)], {
	cwd: ROOT,
	stdio: "inherit",
});
process.exitCode = run.status ?? 1;
