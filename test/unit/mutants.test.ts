import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyTree } from "../mutants/copy-tree.ts";
import { MUTANTS } from "../mutants/mutants.ts";
import { belowFloor, type Floor, mutationReport, raiseFloor, readReport, scoreOf } from "../mutants/report.ts";
import { byRoom, ROOMS, roomOf } from "../mutants/rooms.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("[CF111] every mutant in the list still breaks one place of the source and names tests that exist", () => {
	const wrong = MUTANTS.flatMap(({ name, file, search, replace, tests }) => {
		const found = existsSync(join(ROOT, file)) ? read(file).split(search).length - 1 : 0;
		const missing = tests.filter((path) => !existsSync(join(ROOT, path)));
		return found === 1 && search !== replace && tests.length > 0 && missing.length === 0 ? [] : [{ name, file, found, missing }];
	});
	expect(wrong).toEqual([]);
	expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

test("[CF111] a mutant in one of our packages is what the others import; libraries are shared", () => {
	const temporary = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-copy-")));
	const [root, copy] = [join(temporary, "root"), join(temporary, "copy")];
	try {
		for (const path of ["node_modules/@rightseat", "node_modules/zod", "packages/protocol/node_modules/x"]) {
			mkdirSync(join(root, path), { recursive: true });
		}
		writeFileSync(join(root, "packages/protocol/text.ts"), "");
		symlinkSync("../../packages/protocol", join(root, "node_modules/@rightseat/protocol"));
		mkdirSync(copy);
		copyTree(root, copy);
		expect(realpathSync(join(copy, "node_modules/@rightseat/protocol/text.ts"))).toBe(join(copy, "packages/protocol/text.ts"));
		expect(realpathSync(join(copy, "node_modules/zod"))).toBe(join(root, "node_modules/zod"));
		expect(existsSync(join(copy, "packages/protocol/node_modules"))).toBe(false);
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
});

const published = read("docs/mutation.md");
const { played, whole } = readReport(published);
const rooms = byRoom(MUTANTS);
const scores = new Map([...rooms].map(([room, mutants]) => [room, scoreOf(mutants, played)]));
const FLOOR = "test/mutants/floor.json";
const floor: Floor = JSON.parse(read(FLOOR));

test("[CF112] the published score is that of its rows, names every mutant of the list, and none survives", () => {
	expect(MUTANTS.filter(({ name }) => played.get(name)?.verdict !== "noticed").map(({ name }) => name)).toEqual([]);
	expect(published).toContain(`**Score: ${MUTANTS.length} of ${MUTANTS.length} noticed, 0 survived.**`);
	expect(published).toBe(mutationReport(MUTANTS, played, whole));
});

test("[CF113] every mutant belongs to a room, and every room has some", () => {
	expect(MUTANTS.filter(({ file }) => roomOf(file) === undefined).map(({ file }) => file)).toEqual([]);
	expect([...rooms].filter(([, mutants]) => mutants.length < 2).map(([room]) => room)).toEqual([]);
	expect(Object.values(ROOMS).flatMap((paths) => paths.filter((path) => !existsSync(join(ROOT, path))))).toEqual([]);
});

test("[CF113] no room has fewer mutants or a lower score than its floor", () => {
	expect(belowFloor(floor, scores)).toEqual([]);
	expect(Object.keys(floor).sort()).toEqual(Object.keys(ROOMS).sort());
});

test("[CF113] the floor is nowhere lower than it ever was", () => {
	const lowered = earlierFloors().flatMap((earlier) => belowFloor(earlier, new Map(Object.entries(floor))));
	expect(lowered).toEqual([]);
});

test("[CF113] a floor rises with the scores, never falls, and a fallen room is found", () => {
	const before = { shell: { mutants: 4, noticed: 4 } };
	const worse = new Map([["shell", { mutants: 5, noticed: 4 }]]);
	expect(raiseFloor(before, new Map([["shell", { mutants: 2, noticed: 2 }]]))).toEqual(before);
	expect(raiseFloor(before, worse)).toEqual({ shell: { mutants: 5, noticed: 4 } });
	expect(belowFloor(before, worse)).toEqual(["shell: 4 of 5, once 4 of 4"]);
	expect(belowFloor(before, new Map())).toEqual(["shell: 0 of 0, once 4 of 4"]);
	expect(belowFloor(before, new Map([["shell", { mutants: 5, noticed: 5 }]]))).toEqual([]);
});

/** What the file was in the last commits that changed it; without a history there is nothing to compare. */
function earlierFloors(): Floor[] {
	const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
	let commits: string[];
	try {
		commits = git("log", "-n", "20", "--format=%H", "--", FLOOR).split("\n").filter(Boolean);
	} catch {
		// No git here, or no repository.
		return [];
	}
	return commits.map((commit) => JSON.parse(git("show", `${commit}:${FLOOR}`)));
}
