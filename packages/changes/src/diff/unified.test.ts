import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { SEED } from "../../../../test/support/seed.ts";
import { fsPath, parentOf } from "../paths/byte-path.ts";
import { type FileDifference, type PatchSide, unifiedDiff } from "./unified.ts";

const folder = mkdtempSync(join(tmpdir(), "unified-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (bytes: string | Uint8Array, mode = 0o644): PatchSide => ({ kind: "file", bytes: Buffer.from(bytes), mode });
const link = (target: string): PatchSide => ({ kind: "link", target });
const absent: PatchSide = { kind: "absent" };
const many = (word: string) => Array.from({ length: 30 }, (_, at) => (at === 15 ? word : `line ${at}`)).join("\n");

function put(root: string, path: string, side: PatchSide): void {
	if (side.kind === "absent") return;
	const place = fsPath(root, path);
	mkdirSync(join(root, parentOf(path)), { recursive: true });
	if (side.kind === "link") symlinkSync(Buffer.from(side.target, "latin1"), place);
	else {
		writeFileSync(place, side.bytes);
		chmodSync(place, side.mode);
	}
}

/** What is there as git sees it: the kind, the bytes, and whether the owner may run it. */
function seen(root: string, path: string): string {
	const place = fsPath(root, path);
	const stat = lstatSync(place, { throwIfNoEntry: false });
	if (stat === undefined) return "absent";
	if (stat.isSymbolicLink()) return `link ${readlinkSync(place, "latin1")}`;
	return `file ${(stat.mode & 0o100) !== 0 ? "x" : "-"} ${readFileSync(place, "latin1")}`;
}

/** Applies each patch to its before, and back again, with the real git; all in one shell. */
function roundTrips(cases: readonly FileDifference[]): void {
	const root = mkdtempSync(join(folder, "case-"));
	const expected = cases.map((difference, at) => {
		const { path, oldPath = path, before, after } = difference;
		for (const [name, place, side] of [
			["there", oldPath, before],
			["want", path, after],
		] as const) {
			mkdirSync(join(root, `${at}`, name), { recursive: true });
			put(join(root, `${at}`, name), place, side);
		}
		writeFileSync(join(root, `${at}`, "patch"), unifiedDiff(difference));
		return {
			want: paths(difference).map((name) => seen(join(root, `${at}`, "want"), name)),
			had: paths(difference).map((name) => seen(join(root, `${at}`, "there"), name)),
		};
	});
	const step = (options: string, mark: string) =>
		`(cd $at/there && if [ -s ../patch ]; then git apply --whitespace=nowarn ${options} ../patch 2>../${mark} || echo failed >>../${mark}; fi)`;
	const run = (options: string, mark: string) =>
		execFileSync("sh", ["-c", `at=0; while [ $at -lt ${cases.length} ]; do ${step(options, mark)}; at=$((at + 1)); done`], {
			cwd: root,
			env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder), GIT_CONFIG_NOSYSTEM: "1", HOME: root },
		});
	for (const [options, mark, want] of [
		["", "forth", "want"],
		["-R", "back", "had"],
	] as const) {
		run(options, mark);
		for (const [at, difference] of cases.entries()) {
			const now = paths(difference).map((name) => seen(join(root, `${at}`, "there"), name));
			const said = unifiedDiff(difference) === "" ? "" : readFileSync(join(root, `${at}`, mark), "latin1");
			expect({ at, options, now, said: said.includes("failed") ? said : "" }).toEqual({ at, options, now: expected[at]?.[want], said: "" });
		}
	}
}

const paths = ({ path, oldPath = path }: FileDifference) => [...new Set([oldPath, path])];

test("[CH205] git applies the patch of any difference and takes it back", () => {
	roundTrips([
		{ path: "edited.txt", before: file(many("old")), after: file(many("new")) },
		{ path: "new.txt", before: absent, after: file("hello\n") },
		{ path: "new and empty", before: absent, after: file("") },
		{ path: "gone.txt", before: file("hello\nthere"), after: absent },
		{ path: "gone-empty", before: file(""), after: absent },
		{ path: "run.sh", before: file("echo\n"), after: file("echo\n", 0o755) },
		{ path: "both.sh", before: file("echo\n", 0o755), after: file("echo 2\n") },
		{ path: "new.sh", before: absent, after: file("echo 2\n", 0o755) },
		{ path: "end", before: file("a\nb"), after: file("a\nb\n") },
		{ path: "start", before: file("a\nb\n"), after: file("a\nc") },
		{ path: "crlf.txt", before: file("a\r\nb\r\n"), after: file("a\r\nb\n\r\n") },
		{ path: "folder/moved to.txt", oldPath: "moved from.txt", before: file(many("x")), after: file(many("y")) },
		{ path: "moved", oldPath: "from", before: file("same\n"), after: file("same\n", 0o755) },
		{ path: "link", before: link("here"), after: link("there/and back") },
		{ path: "new-link", before: absent, after: link("\xe9") },
		{ path: "gone-link", before: link("x"), after: absent },
		{ path: "file-to-link", before: file("x\n"), after: link("x") },
		{ path: "link-to-file", before: link("x"), after: file("x\n") },
		{ path: "image.png", before: file(Buffer.from([0, 1, 2, 255])), after: file(Buffer.from([0, 1, 3, 255, 7])) },
		{ path: "new.bin", before: absent, after: file(Buffer.alloc(10_000, 0)) },
		{ path: "gone.bin", before: file(Buffer.from([0])), after: absent },
		{ path: "emptied.bin", before: file(Buffer.from([0, 1])), after: file("") },
		{ path: "latin1.txt", before: file(Buffer.from("caf\xe9\n", "latin1")), after: file(Buffer.from("caf\xe8\n", "latin1")) },
		{ path: "moved.bin", oldPath: "from.bin", before: file(Buffer.from([0, 1])), after: file(Buffer.from([0, 2]), 0o755) },
		{
			path: '中文 "quoted" \\ \xff'.replace(/[^\0-\xff]/g, (letter) => Buffer.from(letter).toString("latin1")),
			before: file("a\n"),
			after: file("b\n"),
		},
		{ path: "two\nlines\tand tab", before: file("a\n"), after: file("b\n") },
		{ path: "trailing blank ", before: file("a\n"), after: file("b\n") },
		{ path: "same", before: file("a\n"), after: file("a\n") },
	]);
});

test("[CH205] random pairs of texts and bytes", () => {
	const line = fc.constantFrom(
		"a\n",
		"b\n",
		"c\n",
		"\n",
		"\\ No newline at end of file\n",
		"--- a/x\n",
		"@@ -1 +1 @@\n",
		"\r\n",
		"中\n",
		"no end",
	);
	const text = fc.array(line, { maxLength: 12 }).map((lines) => Buffer.from(lines.join("")));
	const bytes = fc.oneof(
		{ weight: 5, arbitrary: text },
		{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)) },
	);
	const side = fc.tuple(bytes, fc.constantFrom(0o644, 0o755)).map(([content, mode]) => file(content, mode));
	const some = fc.sample(fc.tuple(side, side), { numRuns: 150, seed: SEED });
	roundTrips(some.map(([before, after]) => ({ path: "file", before, after })));
});

test("[CH206] bits that git does not know are shown as they are", () => {
	expect(unifiedDiff({ path: "key", before: file("x", 0o644), after: file("x", 0o4600) })).toBe(
		"diff --git a/key b/key\nold mode 100644\nnew mode 104600\n",
	);
	expect(unifiedDiff({ path: "key", before: absent, after: absent })).toBe("");
	roundTrips([{ path: "key", before: file("x", 0o644), after: file("x", 0o600) }]);
});
