import { expect, test } from "vitest";
import type { Words } from "./words.ts";

const modules = import.meta.glob<Record<string, unknown>>("../**/*-messages.ts", { eager: true });
const tables = Object.entries(modules).flatMap(([path, exported]) =>
	Object.entries(exported).flatMap(([name, value]) => (isWords(value) ? [{ name: `${path} ${name}`, words: value }] : [])),
);

function isWords(value: unknown): value is Words<string> {
	return typeof value === "object" && value !== null && "en" in value && "zh-Hant" in value;
}
const valuesIn = (sentence: string) => [...new Set(sentence.match(/\{\w+\}/g) ?? [])].sort();

test("[PG321] every text of the page is there in both languages, with the same values in it", () => {
	expect(tables.length).toBeGreaterThan(15);
	for (const { name, words } of tables) {
		expect(Object.keys(words["zh-Hant"]), name).toEqual(Object.keys(words.en));
		for (const [key, english] of Object.entries(words.en)) {
			const chinese = words["zh-Hant"][key] ?? "";
			expect(chinese.trim(), `${name} ${key}`).not.toBe("");
			expect(valuesIn(chinese), `${name} ${key}`).toEqual(valuesIn(english));
		}
	}
});
