import { FAULTS } from "./faults.ts";
import { createRandom } from "./random.ts";
import { writeReport } from "./report.ts";
import { playRound, type RoundResult } from "./round.ts";
import { createWorld } from "./world.ts";

/** `npm run faults -- --rounds 40 --seed 7 [--only kill-server,flood] [--docs]`: every fault alone, then random combinations of two or three. */
const options = readOptions(process.argv.slice(2));
const chosen = options.only === undefined ? FAULTS : FAULTS.filter((fault) => options.only?.includes(fault.name));
if (chosen.length === 0) {
	console.error(`There is no such fault. Choose from: ${FAULTS.map((fault) => fault.name).join(", ")}`);
	process.exit(2);
}
const random = createRandom(options.seed);
const results: RoundResult[] = [];
const world = await createWorld();
try {
	const plan = [
		...chosen.map((fault) => [fault]),
		...Array.from({ length: options.rounds }, () => random.some(chosen, random.between(2, 3))),
	];
	for (const [index, faults] of plan.entries()) {
		const result = await playRound(world, faults, options.seed * 100_000 + index).catch((error: unknown) => ({
			...{ seed: options.seed * 100_000 + index, faults: faults.map((fault) => fault.name), prompts: 0, commands: 0, ms: 0 },
			findings: [error instanceof Error ? error.message : String(error)],
		}));
		results.push(result);
		console.log(`${result.findings.length === 0 ? "ok  " : "FAIL"} ${result.faults.join(" + ")} (seed ${result.seed}, ${result.ms} ms)`);
		for (const finding of result.findings) console.log(`     ${finding}`);
	}
	const integrity = await world.integrity();
	console.log(`${integrity === "ok" ? "ok  " : "FAIL"} the database is whole after all of it: ${integrity}`);
	if (integrity !== "ok")
		results.push({ seed: 0, faults: [], prompts: 0, commands: 0, ms: 0, findings: [`PRAGMA integrity_check: ${integrity}`] });
} finally {
	await world.close();
}
if (options.docs) writeReport(results, options);
const failed = results.filter((result) => result.findings.length > 0).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function readOptions(argv: string[]): { rounds: number; seed: number; only?: string[]; docs: boolean } {
	const value = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
	const number = (name: string, fallback: number) => {
		const given = value(name);
		const parsed = given === undefined ? fallback : Number(given);
		if (!Number.isSafeInteger(parsed) || parsed < 0) {
			console.error(`${name} takes a whole number.`);
			process.exit(2);
		}
		return parsed;
	};
	const only = value("--only")?.split(",");
	return {
		rounds: number("--rounds", 20),
		seed: number("--seed", 1),
		docs: argv.includes("--docs"),
		...(only === undefined ? {} : { only }),
	};
}
