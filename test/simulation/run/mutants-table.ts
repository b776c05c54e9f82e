import { MUTANT_ROUNDS, SIMULATION_MUTANTS } from "../mutants.ts";
import type { MutantVerdict } from "./play-mutants.ts";

/** What the document says of one mutant. */
export interface MutantRow {
	readonly name: string;
	/** The promise that was broken, or undefined when none was. */
	readonly invariant: string | undefined;
	readonly round: number;
	/** As it stands there. */
	readonly line: string;
}

const ROW = /^\| [^|]+ \| ([^|]+) \| `[^|]+` \| (?:`([^|]+)` \| (\d+)|[^|]+ \|) \|$/;

/** The rows of the table of mutants in this text. */
export function readRows(text: string): MutantRow[] {
	return text.split("\n").flatMap((line) => {
		const found = ROW.exec(line);
		return found === null ? [] : [{ name: found[1] ?? "", invariant: found[2], round: Number(found[3] ?? 0), line }];
	});
}

function rowOf({ mutant, verdict, invariant, rounds }: MutantVerdict): string {
	const result = verdict === "noticed" ? `\`${invariant}\` | ${rounds}` : `${verdict} |`;
	return `| ${mutant.area} | ${mutant.name} | \`${mutant.file}\` | ${result} |`;
}

/** The table after these were played: what was not played again stays as it was, and what is no longer listed goes. */
export function mutantsText(before: string, verdicts: readonly MutantVerdict[], seed: number, date = new Date()): string {
	const rows = new Map(readRows(before).map(({ name, line }) => [name, line]));
	for (const verdict of verdicts) rows.set(verdict.mutant.name, rowOf(verdict));
	const lines = SIMULATION_MUTANTS.flatMap(({ name }) => rows.get(name) ?? []);
	const noticed = readRows(lines.join("\n")).filter(({ invariant }) => invariant !== undefined).length;
	return `Command: \`npm run simulate -- --mutants --seed ${seed} --docs\`; with \`--mutant TEXT\` only the rows of those are written. Last ${date.toISOString().slice(0, 10)}: ${noticed} of ${lines.length} that were played are noticed within ${MUTANT_ROUNDS} rounds.

| area | mutant | file | noticed by | round |
|---|---|---|---|---|
${lines.join("\n")}
`;
}
