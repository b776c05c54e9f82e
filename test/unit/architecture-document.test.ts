import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readSources, withoutComments } from "./support/source-files.ts";

const document = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");

/** `web/app/app.tsx` is `packages/web/src/app/app.tsx`; undefined when there is no such file. */
function read(short: string): string | undefined {
	const path = join(ROOT, short.replace(/^(\w+)\//, "packages/$1/src/"));
	return existsSync(path) ? withoutComments(readFileSync(path, "utf8")) : undefined;
}

/** Folders whose own folders are rooms. */
const HOUSES = [
	"changes",
	"cli",
	"protocol",
	"server",
	"server/core",
	"server/channels",
	"server/channels/web",
	"server/channels/telegram",
	"server/store",
	"shell",
	"web",
];

test("[AR154] the picture of the rooms shows every room, and nothing that is not there", () => {
	const picture = /^```\n(packages\/[\s\S]*?)^```/m.exec(document)?.[1] ?? "";
	const drawn = new Set([...picture.matchAll(/\b[a-z][a-z0-9-]*(?=\/)/g)].map(([name]) => name));
	const rooms = HOUSES.flatMap((house) => {
		const folder = join(ROOT, house.replace(/^(\w+)/, "packages/$1/src"));
		return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
	});
	expect(rooms.filter((room) => !drawn.has(room))).toEqual([]);
	const sources = ["changes", "cli", "protocol", "server", "shell", "web"].map((name) => `packages/${name}/src`);
	const folders = new Set(
		[...sources, "test", "bench"].flatMap((top) => [
			...top.split("/"),
			...readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : [])),
		]),
	);
	expect([...drawn].filter((room) => !folders.has(room))).toEqual([]);
});

const steps = [...document.matchAll(/^(\d+)\. `([\w./-]+)` `(\w+)`: /gm)].map(([, number, file = "", name = ""]) => ({
	...{ number: Number(number), file, name },
	text: read(file) ?? "",
}));

test("[AR152] every step of the walk names a file that is there and a function that it has", () => {
	expect(steps.length).toBeGreaterThan(15);
	expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1));
	const missing = steps.filter(({ name, text }) => !new RegExp(`(?:function\\*?|const) ${name}\\b|\\b${name}(?:\\(|: \\()`).test(text));
	expect(missing.map(({ file, name }) => `${file} ${name}`)).toEqual([]);
});

test("[AR152] every step of the walk is called, or handed over, by a file of a step before it", () => {
	// Where one side does not know the other's function: a socket carries a frame, the log calls what it was given.
	const crossings = new Map([
		["receive", "copilot:send"],
		["publish", "onDurable"],
		["applyFrame", "frame"],
	]);
	const lost = steps.slice(1).filter(({ name }, index) => {
		const said = new RegExp(`\\b${crossings.get(name) ?? name}\\b`);
		return !steps.slice(0, index + 1).some(({ text }) => said.test(text));
	});
	expect(lost.map(({ file, name }) => `${file} ${name}`)).toEqual([]);
});

test("[AR153] each of the twelve behaviours is in the room that the table names, in a file that says so", () => {
	const rows = [...document.matchAll(/^\| .+ \| ([\w/]+) \| `([\w./-]+)` \| `(.+)` \|$/gm)].map(([, room, file = "", words = ""]) => ({
		room,
		file,
		words,
	}));
	expect(rows).toHaveLength(12);
	const wrong = rows.filter(({ room, file, words }) => posix.dirname(file) !== room || read(file)?.includes(words) !== true);
	expect(wrong).toEqual([]);
});

test("[AR156] every word of our own in the glossary is one that the product uses", () => {
	const [, table = ""] = /## Our words and the field's\n([\s\S]*?)\n## /.exec(readFileSync(join(ROOT, "docs/glossary.md"), "utf8")) ?? [];
	const words = [...table.matchAll(/^\| ([a-z][\w ]*) \|/gm)].map(([, word = ""]) => word).filter((word) => word !== "word");
	expect(words.length).toBeGreaterThan(20);
	const product = readSources(["packages"])
		.filter(({ isTest }) => !isTest)
		.map(({ text }) => text.toLowerCase())
		.join("\n");
	expect(words.filter((word) => !word.split(" ").every((part) => product.includes(part)))).toEqual([]);
});
