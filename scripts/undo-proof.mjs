// npm run undo-proof -- --rounds 10000 --seed 1: the random test of undo at length; --replay SEED plays the one round that failed.
// npm run undo-proof -- --cases: the forty written cases instead; --docs writes their table into docs/undo.md.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./lib/places.mjs";

const given = process.argv.slice(2);
const isCases = given.includes("--cases");
const program = isCases ? "test/proof/run-cases.ts" : "test/undo-proof/undo-proof.ts";
const args = isCases ? ["undo", ...given.filter((one) => one !== "--cases")] : given;
const run = spawnSync(process.execPath, ["--import", "tsx", join(ROOT, program), ...args], { cwd: ROOT, stdio: "inherit" });
process.exitCode = run.status ?? 1;
