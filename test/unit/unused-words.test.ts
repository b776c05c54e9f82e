import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/lib/places.mjs";

/** The files of a folder that are part of the product, by path. */
function filesIn(folder: string, kind: RegExp): [path: string, text: string][] {
	const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
	return paths
		.filter((path) => kind.test(path) && !/\.test\.tsx?$|^testing\//.test(path))
		.map((path) => [path, readFileSync(join(ROOT, folder, path), "utf8")]);
}

const code = [...filesIn("packages/web/src", /\.(?:tsx?|html)$/), ...filesIn("packages/protocol/src", /\.ts$/)];
/** States and lines of the audit log have the names that the server gives them. */
const NAMED_BY_SERVER = "settings/status-messages.ts";
const styles = filesIn("packages/web/src", /\.css$/)
	.map(([, text]) => text.replace(/\/\*[\s\S]*?\*\//g, ""))
	.join("\n");

const first = (matches: Iterable<RegExpMatchArray>) => [...new Set([...matches].flatMap(([, name]) => name ?? []))];
/** What a template begins with, as `tool.` in front of a value. */
const begun = (text: string) => first(text.matchAll(/([\w.-]+[.-])\$\{/g));

/** Those that are neither used nor begun by a template. */
function unused(names: readonly string[], text: string, isUsed: (name: string) => boolean): string[] {
	const prefixes = begun(text);
	return names.filter((name) => !isUsed(name) && !prefixes.some((prefix) => name.startsWith(prefix)));
}

test("[PG354] every text of the page is said somewhere", () => {
	const messages = code.filter(([path]) => path.endsWith("-messages.ts"));
	const tables = messages.flatMap(([path, text]) =>
		[...text.matchAll(/ = defineWords\(\s*\{([\s\S]*?)\n\t\},/g)].map(([, english = ""]) => ({
			path,
			keys: first(english.matchAll(/^\t\t"?([\w.-]+)"?:/gm)),
		})),
	);
	expect(tables.length).toBeGreaterThan(20);
	const server = filesIn("packages/server/src", /\.ts$/);
	const left = tables.map(({ path, keys }) => {
		const others = path === NAMED_BY_SERVER ? [...code, ...server] : code;
		const text = others.flatMap(([other, content]) => (other === path ? [] : [content])).join("\n");
		return { path, found: keys.length > 0, unused: unused(keys, text, (key) => text.includes(`"${key}"`)) };
	});
	expect(left.filter(({ found, unused }) => !found || unused.length > 0)).toEqual([]);
});

test("[PG354] every class and every custom property of the page's styles is used", () => {
	const texts = code.map(([, text]) => text).join("\n");
	const selectors = first(styles.matchAll(/([^{};]+)\{/g)).join("\n");
	const classes = first(selectors.matchAll(/\.([a-zA-Z][\w-]*)/g));
	expect(classes.length).toBeGreaterThan(80);
	// Between quotes: a name in a comment or of a variable uses nothing.
	const named = new Set((texts.match(/"[^"\n]*"|`[^`\n]*`/g) ?? []).flatMap((string) => string.match(/[\w-]+/g) ?? []));
	expect(unused(classes, texts, (name) => named.has(name))).toEqual([]);
	// Colours, shadows and fonts become utilities of Tailwind.
	const properties = first(styles.matchAll(/(--[\w-]+)\s*:/g)).filter((name) => !/^--(?:color|shadow|font)-/.test(name));
	expect(properties.length).toBeGreaterThan(20);
	expect(properties.filter((name) => !styles.includes(`var(${name}`) && !texts.includes(name))).toEqual([]);
});
