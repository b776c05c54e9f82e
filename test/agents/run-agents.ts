import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../unit/support/source-files.ts";
import { CASES } from "./cases.ts";
import { NOT_FOR_IT } from "./check.ts";
import { AGENTS_FOLDER, commandOf, folderOf, packagesOf, type RealAgent } from "./real-agent.ts";
import { REAL_AGENTS } from "./real-agents.ts";
import { type Seat, takeSeat } from "./seat.ts";
import { drawTable, type Result, resultsSchema, withTable } from "./table.ts";

const USAGE = `Usage: npm run test:agents -- [--only AGENT,...] [--case TEXT] [--offline] [--docs]
Real agents from the npm registry, 180 to 460 MB each, against every promise.
  --only AGENT,...  only these: ${REAL_AGENTS.map(({ id }) => id).join(", ")}
  --case TEXT       only promises whose name contains TEXT
  --offline         only agents that are in the cache already
  --docs            write the table into docs/agents.md
  --scripted        no real agent: every written misbehaviour, played by the scripted one; with --docs, its table
  --help            this text`;
const { values: options } = readOptions();
if (options.help) {
	console.log(USAGE);
	process.exit(0);
}
const only = options.only?.split(",");
const wanted = options.case ?? "";
const results: Result[] = [];
const KEPT = join(AGENTS_FOLDER, "results.json");

for (const agent of REAL_AGENTS) {
	if (only !== undefined && !only.includes(agent.id)) continue;
	if (!fetchAgent(agent)) {
		console.log(`SKIP ${agent.name}: ${agent.package} is not in the cache and cannot be fetched.`);
		continue;
	}
	results.push(...(await tryAgent(agent)));
	keep();
}
if (options.docs) {
	const file = join(ROOT, "docs", "agents.md");
	writeFileSync(file, withTable(readFileSync(file, "utf8"), drawTable(inOrder(readKept()))));
}
const broken = results.filter(({ state }) => state === "broken").length;
console.log(`${results.length - broken} kept, ${broken} broken`);
process.exitCode = broken > 0 || results.length === 0 ? 1 : 0;

/** Before anything is fetched: a mistake costs no download. */
function readOptions() {
	const flag = { type: "boolean", default: false } as const;
	const text = { type: "string" } as const;
	try {
		const read = parseArgs({ options: { only: text, case: text, offline: flag, docs: flag, help: flag } });
		const unknown = read.values.only?.split(",").find((id) => !REAL_AGENTS.some((agent) => agent.id === id));
		if (unknown !== undefined) throw new Error(`There is no agent ${JSON.stringify(unknown)}.`);
		return read;
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
		process.exit(2);
	}
}

/** The table can be made of runs with one agent each, and of one that was cut. */
function keep(): void {
	const others = readKept().filter((old) => !results.some((one) => one.agent === old.agent && one.name === old.name));
	mkdirSync(AGENTS_FOLDER, { recursive: true });
	// Never written in place: the cache may be linked from another checkout, and a run may be cut.
	writeFileSync(`${KEPT}.new`, JSON.stringify([...others, ...results]));
	renameSync(`${KEPT}.new`, KEPT);
}

function readKept(): Result[] {
	return existsSync(KEPT) ? resultsSchema.parse(JSON.parse(readFileSync(KEPT, "utf8"))) : [];
}

/** Agents and cases in the order of their lists; what is in neither any more is left out. */
function inOrder(all: readonly Result[]): Result[] {
	return REAL_AGENTS.flatMap(({ name: agent }) =>
		CASES.flatMap(({ name }) => all.filter((one) => one.agent === agent && one.name === name)),
	);
}

/** Brings the exact version into the cache without running anything of it. */
function fetchAgent(agent: RealAgent): boolean {
	if (commandOf(agent) !== undefined) return true;
	if (options.offline) return false;
	const folder = folderOf(agent);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
	console.log(`Fetching ${agent.package} (once)`);
	const npmArguments = [
		"install",
		"--ignore-scripts",
		"--no-audit",
		"--no-fund",
		"--no-package-lock",
		"--engine-strict=false",
		...packagesOf(agent),
	];
	spawnSync("npm", npmArguments, { cwd: folder, stdio: "inherit" });
	return commandOf(agent) !== undefined;
}

/** All cases on one server; after a broken one on a new one, because nobody knows what it left. */
async function tryAgent(agent: RealAgent): Promise<Result[]> {
	const found: Result[] = [];
	let seat: Seat | undefined;
	for (const one of CASES.filter(({ name }) => name.includes(wanted))) {
		seat ??= await takeSeat(agent);
		const result = await tryCase(seat, one);
		found.push(result);
		if (result.state === "broken") seat = await leave(seat);
		// The last case ends the server.
		else await seat.clear().catch(() => undefined);
	}
	await leave(seat);
	return found;
}

async function tryCase(seat: Seat, { name, run }: (typeof CASES)[number]): Promise<Result> {
	const agent = seat.agent.name;
	const isLeftOut = seat.agent.leaveOut?.some((part) => name.includes(part)) === true;
	const result = await (isLeftOut ? Promise.resolve(NOT_FOR_IT) : run(seat)).then(
		(remark): Result => ({ agent, name, state: remark === NOT_FOR_IT ? "none" : "kept", remark: remark ?? "" }),
		(error: unknown): Result => ({ agent, name, state: "broken", remark: error instanceof Error ? error.message : String(error) }),
	);
	const word = result.state === "broken" ? "FAIL" : "ok  ";
	console.log(
		`${new Date().toISOString().slice(11, 19)} ${word} ${agent}: ${name}${result.remark === "" ? "" : ` (${result.remark.slice(0, 600)})`}`,
	);
	return result;
}

async function leave(seat: Seat | undefined): Promise<undefined> {
	await seat?.close();
	for (const pid of seat?.processes() ?? []) process.kill(pid, "SIGKILL");
}
