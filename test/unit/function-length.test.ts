import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { readSources } from "./support/source-files.ts";

const MAX_LINES = 120;
/** Longer than that today, with their length. A line here may only shrink or go. */
const LONG_TODAY: Readonly<Record<string, number>> = {};

/** Ninety-nine of a hundred functions are at most this long. */
const MAX_P99_LINES = 80;

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

const functions = readSources(["packages"])
	.filter((file) => /^packages\/\w+\/src\//.test(file.path) && !file.isTest)
	.flatMap((file) => functionsOf(file.path, file.text));

test("[AR144] no function is longer than 120 lines, and the ones that are do not grow", () => {
	const long = functions.filter(({ lines }) => lines > MAX_LINES);
	const today = Object.fromEntries(long.map(({ name, lines }) => [name, lines]));
	const grown = Object.entries(today).filter(([name, lines]) => lines > (LONG_TODAY[name] ?? MAX_LINES));
	const gone = Object.keys(LONG_TODAY).filter((name) => today[name] === undefined);
	expect({ grown: Object.fromEntries(grown), gone }).toEqual({ grown: {}, gone: [] });
});

test("[AR151] ninety-nine of a hundred functions have at most 80 lines", () => {
	const lengths = functions.map(({ lines }) => lines).sort((a, b) => a - b);
	expect(lengths.length).toBeGreaterThan(4_000);
	expect(lengths[Math.floor(lengths.length * 0.99)]).toBeLessThanOrEqual(MAX_P99_LINES);
});

/** Every function of a file, also those of one line. */
function functionsOf(path: string, text: string): { name: string; lines: number }[] {
	const found: { name: string; lines: number }[] = [];
	const lineAt = (position: number) => text.slice(0, position).split("\n").length;
	function walk(node: unknown): void {
		if (Array.isArray(node)) for (const one of node) walk(one);
		if (typeof node !== "object" || node === null || Array.isArray(node)) return;
		const { type, id, body, start, end }: Record<string, unknown> = { ...node };
		if (FUNCTIONS.includes(String(type)) && body !== null && typeof start === "number" && typeof end === "number") {
			const name = typeof id === "object" && id !== null && "name" in id ? id.name : "(anonymous)";
			found.push({ name: `${path.replace(/^packages\//, "")} ${name}`, lines: lineAt(end) - lineAt(start) + 1 });
		}
		for (const part of Object.values(node)) walk(part);
	}
	walk(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }));
	return found;
}
