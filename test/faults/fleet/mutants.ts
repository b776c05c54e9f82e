import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTree } from "../../mutants/copy-tree.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** A bug that somebody could write, and the fault after which a broken promise must be found. */
export interface FleetMutant {
	name: string;
	/** Path from the root. */
	file: string;
	/** Occurs exactly once in the file. */
	search: string;
	replace: string;
	/** The number of the fault. */
	fault: number;
}

export const FLEET_MUTANTS: readonly FleetMutant[] = [
	{
		name: "a reader that shows whatever event comes next",
		file: "packages/server/src/core/fleet/remote-conversation.ts",
		search:
			"if (shown === undefined || event.epoch !== shown.epoch || event.seq !== shown.seq + 1 || event.frame === undefined) return false;",
		replace:
			"if (shown !== undefined && event.frame !== undefined) return true;\n\tif (shown === undefined || event.frame === undefined) return false;",
		fault: 31,
	},
	{
		name: "a reader that does not compare what it shows with the owner's beats",
		file: "packages/server/src/core/fleet/remote-conversation.ts",
		search: 'if (head === undefined || state.ask.kind === "waiting") return { state, effects: [] };',
		replace: "if (state !== undefined) return { state, effects: [] };",
		fault: 31,
	},
	{
		name: "an outbox that sends a prompt again under another id",
		file: "packages/server/src/core/fleet/remote-conversations.ts",
		search: "const data = { conversationId, prompt, clientMessageId, ...(attachments",
		replace: "const data = { conversationId, prompt, clientMessageId: String(Math.random()), ...(attachments",
		fault: 20,
	},
];

/** Plays each in a copy of the sources; how many were not noticed. */
export async function playMutants(seed: number): Promise<number> {
	const copy = mkdtempSync(join(tmpdir(), "rightseat-fleet-mutants-"));
	let survivors = 0;
	try {
		copyTree(ROOT, copy);
		for (const mutant of FLEET_MUTANTS) {
			const output = await playOne(copy, mutant, seed);
			const found = output.split("\n").filter((line) => /^ {8}(?!desk:|laptop:|tower:)/.test(line));
			const isNoticed = /^FAIL /m.test(output);
			if (!isNoticed) survivors += 1;
			console.log(`${isNoticed ? "noticed " : "SURVIVED"} ${mutant.name} (fault ${mutant.fault})\n${found.slice(0, 3).join("\n")}`);
			if (!/^(?:FAIL|ok {2}) /m.test(output)) console.log(output.slice(-2_000));
		}
		console.log(`${FLEET_MUTANTS.length - survivors} of ${FLEET_MUTANTS.length} mutants noticed`);
		return survivors;
	} finally {
		rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function playOne(copy: string, { file, search, replace, fault }: FleetMutant, seed: number): Promise<string> {
	const path = join(copy, file);
	const original = readFileSync(path, "utf8");
	writeFileSync(
		path,
		original.replace(search, () => replace),
	);
	try {
		return await played(copy, ["--only", String(fault), "--seed", String(seed)]);
	} finally {
		writeFileSync(path, original);
	}
}

/** From the sources of the copy: a server that was built would not be the mutant. */
function played(cwd: string, args: readonly string[]): Promise<string> {
	const env = { ...process.env, RIGHTSEAT_TEST_BUILT: "0" };
	const program = ["--import", "tsx", "test/faults/fleet/run-fleet-faults.ts", ...args];
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, program, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
		let output = "";
		for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
		child.on("error", reject);
		child.on("close", () => resolve(output));
	});
}
