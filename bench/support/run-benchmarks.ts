import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Benchmark, Row } from "./benchmark.ts";

const folder = join(import.meta.dirname, "..");
const quick = process.argv.includes("--quick");
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

const rows: Row[] = [];
for (const file of readdirSync(folder)
	.filter((name) => name.endsWith(".ts"))
	.sort()) {
	if (wanted.length > 0 && !wanted.some((word) => file.includes(word))) continue;
	const loaded: { benchmark: Benchmark } = await import(pathToFileURL(join(folder, file)).href);
	console.error(`${loaded.benchmark.name} …`);
	rows.push(...(await loaded.benchmark.run({ quick })));
}

console.log(table(rows));
if (wanted.length === 0) {
	const about = { node: process.version, platform: process.platform, arch: process.arch, quick, at: new Date().toISOString() };
	writeFileSync(join(folder, "results.json"), `${JSON.stringify({ ...about, rows }, undefined, "\t")}\n`);
}
process.exitCode = rows.length > 0 && rows.every((row) => row.pass) ? 0 : 1;

function table(found: readonly Row[]): string {
	const lines = found.map((row) => [
		row.name,
		`${number(row.ours)} ${row.unit}`,
		`${number(row.limit)} ${row.unit}`,
		number(row.ratio),
		`≤ ${number(row.goal)}`,
		row.pass ? "ok" : "MISSED",
		`±${Math.round(row.noise * 50)} %`,
	]);
	const all = [["benchmark", "ours", "limit", "ratio", "goal", "", "noise"], ...lines];
	const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
	return all
		.map((line) =>
			line
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

function number(value: number): string {
	return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
