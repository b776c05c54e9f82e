import type { Mutant } from "./mutant.ts";
import { byRoom } from "./rooms.ts";

/** `hung`: the tests did not end, which nobody would merge either. */
export type Verdict = "noticed" | "survived" | "hung";

/** What became of a mutant, and on which day. */
export interface Played {
	verdict: Verdict;
	day: string;
}

/** How many mutants a room has, and how many of them a test noticed. */
export interface RoomScore {
	mutants: number;
	noticed: number;
}

/** docs/mutation.md. `whole`: what the last run of the whole list was, in words. */
export function mutationReport(mutants: readonly Mutant[], played: ReadonlyMap<string, Played>, whole: string): string {
	const rooms = [...byRoom(mutants)].filter(([, list]) => list.length > 0);
	const scores = new Map(rooms.map(([room, list]) => [room, scoreOf(list, played)]));
	const noticed = [...scores.values()].reduce((sum, score) => sum + score.noticed, 0);
	const table = [...scores].map(([room, score]) => `| ${room} | ${score.mutants} | ${score.noticed} | ${percent(score)} |`);
	const sections = rooms.map(([room, list]) => {
		const rows = list.map(({ name, file }) => {
			const { verdict, day } = played.get(name) ?? { verdict: "not played", day: "" };
			return `| ${name} | \`${file}\` | ${verdict} | ${day} |`;
		});
		return `## ${room}\n\n| mutant | file | outcome | played |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
	});
	return `# Mutants

A mutant is one way to break the product. \`npm run mutants\` applies each of the list in \`test/mutants\` to a copy of the source, runs the tests that must notice, and fails if one survives. It is a written list, not every
change that a tool could make: behaviours that were once broken without a red test, and the lines on which a promise hangs. \`npm run mutants -- --docs\` writes this page, with \`--only TEXT\` only the rows that were played; a test checks that every mutant still applies to
the source and stands here, and that no room has fewer mutants or a lower score than it once had (\`test/mutants/floor.json\`).

**Score: ${noticed} of ${mutants.length} noticed, ${mutants.length - noticed} survived.**

${WHOLE}${whole}

| room | mutants | noticed | score |
| --- | --- | --- | --- |
${table.join("\n")}

${sections.join("\n")}`;
}

const WHOLE = "Last whole run: ";

/** What the page says of each mutant, and of the last whole run. */
export function readReport(page: string): { played: Map<string, Played>; whole: string } {
	const played = new Map<string, Played>();
	for (const [, name = "", outcome, day = ""] of page.matchAll(/^\| (.+) \| `[^`]+` \| (noticed|survived|hung) \|(?: ([\d-]+) \|)?$/gm)) {
		const verdict = VERDICTS.find((known) => known === outcome);
		if (verdict !== undefined) played.set(name, { verdict, day });
	}
	const whole = page.split("\n").find((line) => line.startsWith(WHOLE));
	return { played, whole: whole?.slice(WHOLE.length) ?? "none yet." };
}

const VERDICTS: readonly Verdict[] = ["noticed", "survived", "hung"];

/** A mutant that hung is noticed: nobody would merge it. */
export function scoreOf(mutants: readonly Mutant[], played: ReadonlyMap<string, Played>): RoomScore {
	const noticed = mutants.filter(({ name }) => ["noticed", "hung"].includes(played.get(name)?.verdict ?? ""));
	return { mutants: mutants.length, noticed: noticed.length };
}

/** What the rooms had at least, ever. */
export type Floor = Readonly<Record<string, RoomScore>>;

/** The floor after these scores: it only rises. */
export function raiseFloor(floor: Floor, scores: ReadonlyMap<string, RoomScore>): Record<string, RoomScore> {
	const next: Record<string, RoomScore> = { ...floor };
	for (const [room, score] of scores) {
		const before = floor[room] ?? { mutants: 0, noticed: 0 };
		next[room] = { mutants: Math.max(before.mutants, score.mutants), noticed: Math.max(before.noticed, score.noticed) };
	}
	return next;
}

/** Where scores have fallen below the floor. */
export function belowFloor(floor: Floor, scores: ReadonlyMap<string, RoomScore>): string[] {
	return Object.entries(floor).flatMap(([room, least]) => {
		const now = scores.get(room) ?? { mutants: 0, noticed: 0 };
		const hasFallen =
			now.mutants < least.mutants || now.noticed < least.noticed || now.noticed * least.mutants < least.noticed * now.mutants;
		return hasFallen ? [`${room}: ${now.noticed} of ${now.mutants}, once ${least.noticed} of ${least.mutants}`] : [];
	});
}

const percent = ({ mutants, noticed }: RoomScore) => `${Math.floor((100 * noticed) / mutants)} %`;
