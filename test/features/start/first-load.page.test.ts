import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorSentences } from "@rightseat/protocol/sentences/error-sentences";
import { expect, test } from "vitest";
import { ROOT } from "../../../scripts/lib/places.mjs";

const DIST = join(ROOT, "packages/web/dist");
const KB = 1_000;

/** The page of somebody who is logged in, and the code and styles that it names. */
function firstFiles(): string[] {
	const html = readFileSync(join(DIST, "signed-in.html"), "utf8");
	const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].flatMap(([, path]) => path ?? []);
	return ["signed-in.html", ...named].map((path) => join(DIST, path));
}

/** Small files go over the wire as they are. */
function bytes(files: readonly string[], extension: "br" | "gz"): number {
	const sizes = files.map((file) => statSync(existsSync(`${file}.${extension}`) ? `${file}.${extension}` : file).size);
	return sizes.reduce((sum, size) => sum + size, 0);
}

test("[PG350] a first visit waits for at most 127 KB, and not for the words of errors", () => {
	const files = firstFiles();
	expect(files.filter((file) => file.endsWith(".js")).length).toBeGreaterThan(2);
	expect(bytes(files, "br")).toBeLessThanOrEqual(127 * KB);
	expect(bytes(files, "gz")).toBeLessThanOrEqual(148 * KB);
	const code = files.map((file) => readFileSync(file, "utf8")).join("");
	const words = Object.values(errorSentences["zh-Hant"]).filter((sentence) => !sentence.includes("{"));
	expect(words.length).toBeGreaterThan(10);
	expect(words.filter((sentence) => code.includes(sentence))).toEqual([]);
});

test("[AR470] what every page fetches when it stands is one file, and nothing of it is waited for before", () => {
	const assets = readdirSync(join(DIST, "assets")).filter((file) => file.endsWith(".js"));
	const soon = assets.filter((file) => file.startsWith("soon-"));
	expect(soon).toHaveLength(1);
	const alone = /^(?:conversation-log|welcome-slot|beside-box|right-panel|agent-picker|inbox-entry|search-results|markdown-stream)-/;
	expect(assets.filter((file) => alone.test(file))).toEqual([]);
	const first = firstFiles().filter((file) => file.endsWith(".js"));
	expect(first.filter((file) => /(?:import|from)\s*"[^"]*\/soon-/.test(readFileSync(file, "utf8")))).toEqual([]);
	expect(first.some((file) => readFileSync(file, "utf8").includes(`import(\`./${soon[0]}\`)`))).toBe(true);
});
