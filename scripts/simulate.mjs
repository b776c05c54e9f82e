// npm run simulate -- --rounds 10000 --seed 1: the deterministic simulation; --replay SEED plays the one round that failed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./lib/places.mjs";

const run = spawn(process.execPath, ["--import", "tsx", join(ROOT, "test/simulation/run/simulate.ts"), ...process.argv.slice(2)], {
	cwd: ROOT,
	stdio: "inherit",
});
// Ctrl-C reaches the simulation as well, which tells what it had and ends; only then this ends.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => run.kill("SIGTERM"));
run.on("close", (code) => {
	process.exitCode = code ?? 1;
});
