import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { CaseTest, ProofCase } from "./proof-case.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** What vitest writes as JSON, as far as it is used. */
const report = z.object({
	testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) })),
});
type Report = z.infer<typeof report>;

/** Runs the tests of all cases. A case holds when each of its tests was found and passed. */
export async function playCases(cases: readonly ProofCase[]): Promise<Map<number, boolean>> {
	const files = [...new Set(cases.flatMap(({ tests }) => tests.map(({ file }) => file)))];
	const folder = mkdtempSync(join(tmpdir(), "rightseat-cases-"));
	try {
		const output = join(folder, "report.json");
		const args = [
			"run",
			"--project",
			"unit",
			"--project",
			"integration",
			"--reporter",
			"default",
			"--reporter",
			"json",
			"--outputFile.json",
			output,
		];
		const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...args, ...files], { cwd: ROOT, stdio: "inherit" });
		await new Promise((resolve) => child.on("exit", resolve));
		return judgeCases(cases, report.parse(JSON.parse(readFileSync(output, "utf8"))));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Which cases hold, by what vitest says of each test. */
export function judgeCases(cases: readonly ProofCase[], { testResults }: Report): Map<number, boolean> {
	const isPassed = ({ file, name, row = "" }: CaseTest) => {
		const found = testResults
			.filter((result) => result.name.endsWith(file))
			.flatMap(({ assertionResults }) => assertionResults)
			.filter(({ title }) => title.startsWith(name) && title.includes(row));
		return found.length > 0 && found.every(({ status }) => status === "passed");
	};
	return new Map(cases.map(({ number, tests }) => [number, tests.length > 0 && tests.every(isPassed)]));
}
