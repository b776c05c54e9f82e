import { readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";

const rowSchema = z.strictObject({
	name: z.string().min(1),
	unit: z.string(),
	ours: z.number(),
	limit: z.number().nullable(),
	ratio: z.number().nullable(),
	goal: z.strictObject({ kind: z.enum(["ratio", "over", "at-most", "at-least"]), value: z.number() }).nullable(),
	pass: z.boolean(),
	noise: z.number(),
	rounds: z.int().min(1),
});

const seriesSchema = z.strictObject({
	name: z.string().regex(/^[a-z0-9-]+$/),
	title: z.string(),
	x: z.string(),
	y: z.string(),
	lines: z.array(z.strictObject({ label: z.string(), points: z.array(z.tuple([z.number(), z.number()])) })),
});

const profileSchema = z.strictObject({
	title: z.string().min(1),
	unit: z.string(),
	lines: z.array(z.strictObject({ what: z.string(), value: z.number() })),
});

/** What a benchmark's process hands back. */
export const measuredSchema = z.strictObject({
	rows: z.array(rowSchema),
	series: z.optional(z.array(seriesSchema)),
	profiles: z.optional(z.array(profileSchema)),
});

/** `bench/results.json`. */
export const resultsSchema = z.strictObject({
	version: z.literal(1),
	at: z.iso.datetime(),
	quick: z.boolean(),
	machine: z.strictObject({
		cpu: z.string(),
		cores: z.int(),
		memoryGb: z.number(),
		system: z.string(),
		node: z.string(),
		load: z.number(),
	}),
	benchmarks: z.array(
		z.strictObject({
			name: z.string(),
			seconds: z.number(),
			/** Why it gave no rows. */
			failure: z.optional(z.string()),
			...measuredSchema.shape,
		}),
	),
});
export type Results = z.infer<typeof resultsSchema>;

export function writeResults(file: string, results: Results): void {
	writeFileSync(file, `${JSON.stringify(resultsSchema.parse(results), undefined, "\t")}\n`);
}

export const readResults = (file: string): Results => resultsSchema.parse(JSON.parse(readFileSync(file, "utf8")));

/** 0 when every benchmark gave rows and every judged row met its goal. */
export function exitCodeOf(benchmarks: Results["benchmarks"]): number {
	const fine = benchmarks.every(({ failure, rows }) => failure === undefined && rows.every((row) => row.pass));
	return fine && benchmarks.length > 0 ? 0 : 1;
}
