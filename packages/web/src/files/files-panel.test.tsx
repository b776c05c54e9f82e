// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { namesFile } from "../markdown/file-name.tsx";
import { readShownFile, sizeText, splitLine } from "./shown-file.ts";

test("[PG702] paths and names of files are known as such, and other code stays text", () => {
	for (const path of ["src/main.ts", "./a/b.txt:12", "/home/ann/shop/x.conf", "package.json", "../up.md", "a/b-c_d/e.test.tsx:3:7"])
		expect(namesFile(path), path).toBe(true);
	for (const text of [
		"console.log",
		"Math.max",
		"npm test",
		"a/b",
		"and/or",
		"https://example.org/x.html",
		"x.ts; rm -rf",
		"",
		"x".repeat(400),
	])
		expect(namesFile(text), text).toBe(false);
	expect(splitLine("src/main.ts:12:3")).toEqual({ path: "src/main.ts", line: 12 });
	expect(splitLine("src/main.ts")).toEqual({ path: "src/main.ts", line: undefined });
});

test("[PG701] what the bytes of a file are decides how they are shown", () => {
	const bytes = (text: string) => new TextEncoder().encode(text);
	expect(readShownFile("a/README.md", bytes("# Hi"))).toEqual({ kind: "text", text: "# Hi", isMarkdown: true });
	expect(readShownFile("x.PNG", bytes("png"))).toMatchObject({ kind: "picture", type: "image/png" });
	expect(readShownFile("x.bin", Uint8Array.of(1, 0, 2))).toEqual({ kind: "binary" });
	expect([sizeText(12), sizeText(2_048), sizeText(5 * 1_048_576)]).toEqual(["12 B", "2.0 KB", "5.0 MB"]);
});
