import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { LAYERS, layerOf, mayImport, packageOf } from "./support/layers.ts";
import { importsOf, readSources, type SourceFile, withoutComments } from "./support/source-files.ts";

const MAX_LINES = 300;

const sources = readSources(["packages"]);
const everything = [...sources, ...readSources(["test", "bench"]), ...readSources(["scripts"], /\.mjs$/)];
const product = sources.filter((file) => !file.isTest && layerOf(file.path) !== undefined);

/** The file that a relative import, or one of another workspace, means. */
function target(file: SourceFile, specifier: string): string | undefined {
	if (specifier.startsWith(".")) return posix.join(posix.dirname(file.path), specifier.replace(/\?.*$/, ""));
	const [, workspace, path] = /^@rightseat\/(\w+)\/(.+)$/.exec(specifier) ?? [];
	return workspace === undefined ? undefined : `packages/${workspace}/src/${path}.ts`;
}

test("[AR1] every file of the product belongs to a layer", () => {
	const homeless = sources.filter((file) => layerOf(file.path) === undefined && !/\.config\.ts$/.test(file.path)).map((file) => file.path);
	expect(homeless).toEqual([]);
});

test("[AR1] every import of the product is allowed by the table of layers", () => {
	const wrong = product.flatMap((file) => {
		const layer = layerOf(file.path);
		return importsOf(file.text).flatMap(({ from }) => {
			const path = target(file, from);
			if (path === undefined) return layer?.packages.includes(packageOf(from)) ? [] : [`${file.path} imports ${from}`];
			const other = layerOf(path);
			return other !== undefined && layer !== undefined && mayImport(layer, other) ? [] : [`${file.path} imports ${path}`];
		});
	});
	expect(wrong).toEqual([]);
});

test("[AR1] tests of a layer import what tests may: anything of their program, the test bed, never the other program", () => {
	const wrong = sources
		.filter((file) => file.isTest)
		.flatMap((file) => importsOf(file.text).map(({ from }) => ({ file: file.path, path: target(file, from) ?? "" })))
		.filter(
			({ file, path }) =>
				programOf(path) !== undefined && !["changes", "cli", "protocol", "shell", programOf(file)].includes(programOf(path)),
		)
		.map(({ file, path }) => `${file} imports ${path}`);
	expect(wrong).toEqual([]);
});

const programOf = (path: string) => /^packages\/(\w+)\/src\//.exec(path)?.[1];

test("[AR105] every room says what it owns, what it may import and what it never does, in at most fifteen lines", () => {
	const rooms = new Set(product.map((file) => layerOf(file.path)?.folder ?? ""));
	const silent = [...rooms].filter((folder) => {
		const path = `${folder}/README.md`;
		if (!existsSync(path)) return true;
		const text = readFileSync(path, "utf8");
		return text.split("\n").length > 16 || !text.includes("**May import:**") || !text.includes("**Never:**");
	});
	expect(silent).toEqual([]);
});

test("[AR2] imports of our own files name the file with its extension, and there are no barrels", () => {
	const bare = everything.flatMap((file) =>
		importsOf(file.text)
			.filter(({ from }) => from.startsWith(".") && !/\.(?:tsx?|mjs|css|json|svg)(?:\?\w+)?$/.test(from))
			.map(({ from }) => `${file.path} imports ${from}`),
	);
	const barrels = sources.filter((file) => /\/index\.tsx?$/.test(file.path)).map((file) => file.path);
	expect([...bare, ...barrels]).toEqual([]);
});

test("[AR2] no file of the product is part of a circle of imports", () => {
	const graph = new Map(
		product.map((file) => [file.path, importsOf(file.text).flatMap((found) => (found.typeOnly ? [] : (target(file, found.from) ?? [])))]),
	);
	expect(circles(graph)).toEqual([]);
});

test("[AR3] no file is longer than 300 lines, and every name is kebab-case", () => {
	const long = everything.filter((file) => file.text.split("\n").length > MAX_LINES + 1).map((file) => `${file.path} is too long`);
	const odd = everything
		.filter((file) => !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z]+)+$/.test(posix.basename(file.path)))
		.map((file) => file.path);
	expect([...long, ...odd]).toEqual([]);
});

test.each([
	["a default export", /^export default\b/m],
	["state at the top of a module", /^(?:export )?(?:let|var) /m],
	["a suppressed type error", /@ts-(?:ignore|expect-error|nocheck)/],
	["an empty catch", /catch(?:\s*\([^)]*\))?\s*\{\s*\}/],
])("[AR4] no file of the product has %s", (_, pattern) => {
	const found = product.filter((file) => pattern.test(withoutComments(file.text))).map((file) => file.path);
	expect(found).toEqual([]);
});

test("[AR4] casts live in ids.ts only", () => {
	const cast = /[\w)\]}]\s+as\s+(?!const\b)[\w{([]/;
	const found = product
		.filter((file) => !file.path.endsWith("/core/kernel/ids.ts"))
		.flatMap((file) =>
			casting(file.text)
				.filter((line) => cast.test(line))
				.map((line) => `${file.path}: ${line.trim()}`),
		);
	expect(found).toEqual([]);
});

test("[AR5] nothing is left for later: no to-do notes, no skipped or lonely tests", () => {
	const pattern = new RegExp(["\\bTO" + "DO\\b", "\\bFIX" + "ME\\b", "\\b(?:test|it|describe)\\.(?:on" + "ly|sk" + "ip)\\b"].join("|"));
	expect(everything.filter((file) => pattern.test(file.text)).map((file) => file.path)).toEqual([]);
});

test("[AR1] the table names no layer or package that is not used", () => {
	const used = new Set(product.flatMap((file) => importsOf(file.text).map(({ from }) => `${layerOf(file.path)?.name} ${packageOf(from)}`)));
	const unused = LAYERS.flatMap(({ name, packages }) =>
		packages.filter((entry) => entry !== "node:" && entry !== "zod" && !used.has(`${name} ${entry}`)).map((entry) => `${name}: ${entry}`),
	);
	expect(unused).toEqual([]);
});

/** Lines of code in which "as" can only be a cast: imports, exports, comments and texts are taken out. */
function casting(text: string): string[] {
	return withoutComments(text)
		.replace(/\/\/.*$/gm, "")
		.replace(/^\s*(?:import|export)\s[^;]*?from\s+["'][^"']+["'];?/gm, "")
		.replace(/`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, '""')
		.replace(/>[^<>{}\n]*</g, "><")
		.split("\n");
}

function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
	const done = new Set<string>();
	const found: string[] = [];
	const visit = (path: string, trail: readonly string[]) => {
		if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
		else if (!done.has(path)) {
			for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
			done.add(path);
		}
	};
	for (const path of graph.keys()) visit(path, []);
	return found;
}
