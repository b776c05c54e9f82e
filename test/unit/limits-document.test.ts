import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./support/source-files.ts";

const KIB = 1_024;
const MIB = 1_048_576;

/** The rows of the table: [what, bound, file, constants]. */
const rows = readFileSync(join(ROOT, "docs/limits.md"), "utf8")
	.split("\n")
	.filter((line) => line.startsWith("| ") && line.includes("`"))
	.map((line) => line.slice(2, -2).split(" | "));

/** Files of the server are named without their package. */
const placeOf = (path: string) => join(ROOT, path.startsWith("packages/") ? "" : "packages/server/src", path);

const quoted = (cell: string | undefined) => [...(cell ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");

/** The value of a constant that is written as a product of numbers. */
function constantIn(source: string, name: string): number {
	const written = new RegExp(`const ${name} = ([0-9_* ]+);`).exec(source)?.[1] ?? "";
	return written.split("*").reduce((product, factor) => product * Number(factor.replaceAll("_", "") || Number.NaN), 1);
}

test.each(rows)("[WS140] the bound in the documents is the one in the code: %s", (_what, bound, file, constants) => {
	const source = readFileSync(placeOf(quoted(file)[0] ?? ""), "utf8");
	for (const name of quoted(constants)) {
		const value = constantIn(source, name);
		const written = [value.toLocaleString("en-US"), `${value / KIB} KiB`, `${value / MIB} MiB`];
		expect({ name, written, bound, isTold: written.some((each) => ` ${bound}`.includes(` ${each}`)) }).toMatchObject({ isTold: true });
	}
});
