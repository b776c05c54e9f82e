import { expect, test } from "vitest";
import { bytePath, fsPath, isBytePath, latin1Of } from "./byte-path.ts";
import { pathOfShown, shownPath } from "./shown-path.ts";

test.each([
	["plain/name.txt", "plain/name.txt"],
	[latin1Of("中文/naïve.md"), "中文/naïve.md"],
	["caf\xe9", "caf\\xe9"],
	["two\nlines\t'\"", "two\\x0alines\\x09'\""],
	["back\\slash", "back\\slash"],
	["not\\xe9an escape", "not\\x5cxe9an escape"],
	["cut \xe4\xb8", "cut \\xe4\\xb8"],
])("[CH1] case 8: %j is shown as %j and comes back", (path, shown) => {
	expect([shownPath(path), pathOfShown(shown)]).toEqual([shown, path]);
});

test("[CH1] case 8: any bytes come back from how they are shown", () => {
	let seed = 7;
	const next = (below: number) => {
		seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
		return seed % below;
	};
	for (let round = 0; round < 2_000; round += 1) {
		const path = Array.from({ length: 1 + next(12) }, () =>
			String.fromCharCode(next(3) === 0 ? ("\\x0a5cef".charCodeAt(next(8)) ?? 1) : 1 + next(255)),
		).join("");
		expect(pathOfShown(shownPath(path))).toBe(path);
	}
});

test.each(["", "/etc/passwd", "../up", "a/../b", "a//b", "a/", "./a", ".", "a\0b", "中"])("[CH2] %j is no path below a root", (text) => {
	expect(isBytePath(text)).toBe(false);
	expect(() => bytePath(text)).toThrow(RangeError);
});

test("[CH1] [CH2] dots in a name are a name, and bytes reach the file system as they are", () => {
	expect(["..a", "a..", ".hidden/...", "a/.git"].every(isBytePath)).toBe(true);
	expect([fsPath("/root", "a"), fsPath("/root", "\xe9"), fsPath("/", "a")]).toEqual(["/root/a", Buffer.from("/root/\xe9", "latin1"), "/a"]);
});
