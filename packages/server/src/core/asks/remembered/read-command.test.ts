import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type CommandPart, MAX_PARTS, readCommand } from "./read-command.ts";
import { MAX_READ_CHARS } from "./shell-words.ts";

const part = (fields: Partial<CommandPart>): CommandPart => ({ words: [], assigned: [], reads: [], writes: [], piped: false, ...fields });

test("[RP1] a command line is taken apart at its operators, with variables, files and pipes", () => {
	expect(readCommand("CI=1 npm test 2>&1 | tee 'a b' > x; (cd y && ls <in >>out) &")).toEqual({
		read: true,
		parts: [
			part({ words: ["npm", "test"], assigned: ["CI"] }),
			part({ words: ["tee", "a b"], writes: ["x"], piped: true }),
			part({ words: ["cd", "y"] }),
			part({ words: ["ls"], reads: ["in"], writes: ["out"] }),
		],
	});
	expect(readCommand("a | (b; c | d)\n\ne")).toMatchObject({
		parts: [
			{ piped: false },
			{ words: ["b"], piped: true },
			{ words: ["c"], piped: true },
			{ words: ["d"], piped: true },
			{ words: ["e"], piped: false },
		],
	});
});

test("[RP2] what only a running shell can tell is not read, and the reason is named", () => {
	const why = (line: string) => {
		const command = readCommand(line);
		return command.read ? "read" : command.why;
	};
	expect(["echo $x", "ls *", "ls ~", "a{b,c}", 'echo "$x"'].map(why)).toEqual(Array.from({ length: 5 }, () => "expansion"));
	expect(["a $(b)", "a `b`", 'a "$(b)"', 'a "`b`"', "a <(b)", "a > >(b)"].map(why)).toEqual(
		Array.from({ length: 6 }, () => "substitution"),
	);
	expect(["a <<EOF", "a <<< b", "a 'b", 'a "b', "a \\", "a #b", "if a"].map(why)).toEqual([
		...["here-document", "here-document", "unfinished-quote", "unfinished-quote", "unfinished-quote", "comment", "reserved-word"],
	]);
	expect(["a\u202eb", "a\u0000", "a\r\n", "a\u00a0b"].map(why)).toEqual(Array.from({ length: 4 }, () => "hidden-characters"));
	expect(["", "a &&", "&& a", "a ;; b", "( a", "a )", "f() a", "> x", "x=1", "a >", '"x"=1 a', "(a) b", "a | | b"].map(why)).toEqual(
		Array.from({ length: 13 }, () => "syntax"),
	);
});

test("[RP3] the work of reading is bounded", () => {
	expect(readCommand(`a ${"b".repeat(MAX_READ_CHARS)}`)).toEqual({ read: false, why: "too-long" });
	expect(readCommand(Array.from({ length: MAX_PARTS }, () => "a").join(";"))).toMatchObject({ read: true });
	expect(readCommand(Array.from({ length: MAX_PARTS + 1 }, () => "a").join(";"))).toEqual({ read: false, why: "too-long" });
});

test("[RP4] whatever is read, bash starts the same programs with the same words", () => {
	const piece = fc.constantFrom(
		...[
			"a",
			"b",
			"1",
			"2",
			" ",
			" ",
			" ",
			"'",
			'"',
			"\\",
			"$",
			";",
			"&&",
			"|",
			">",
			"<",
			"&",
			"=",
			"~",
			"-",
			"#",
			"(",
			")",
			"\n",
			"`",
			"!",
			"{",
			"}",
			"*",
		],
		...["'a b'", '"a b"', "\\ ", "\\\n", '"\\$"', "''", "2>&1", ">&", "if ", "\t", ",", "字", ":", "\\\\", "[", "]", "$(", "@", "+"],
	);
	const lines = fc
		.sample(fc.array(piece, { minLength: 1, maxLength: 12 }), { numRuns: 6_000, seed: 19 })
		.map((pieces) => `a ${pieces.join("")}`)
		.filter((line) => {
			const command = readCommand(line);
			// Files that they read are not there, a variable may be one of the shell's, and no program fails.
			return command.read && !line.includes("||") && command.parts.every(({ reads, assigned }) => reads.length + assigned.length === 0);
		});
	expect(lines.length).toBeGreaterThan(300);
	const ours = lines.map((line) => {
		const command = readCommand(line);
		return command.read ? command.parts.map(({ words }) => words.map((word) => `<${word}>`).join("")).sort() : [];
	});
	const theirs = runInBash(lines);
	expect(theirs.length).toBe(lines.length);
	expect(
		lines.flatMap((line, at) => (String(ours[at]) === String(theirs[at]) ? [] : [{ line, ours: ours[at], theirs: theirs[at] }])),
	).toEqual([]);
});

/** Every program that each line starts, with its words, as bash sees them; none of the programs exists. */
function runInBash(lines: readonly string[]): string[][] {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-words-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	// In one write, because the parts of a pipe run at the same time.
	const told = 'command_not_found_handle() { local all; printf -v all "<%s>" "$@"; printf "%s\\001" "$all" >&9; }';
	const builtins = ':() { command_not_found_handle : "$@"; }; function [ { command_not_found_handle [ "$@"; }';
	const script = lines.map((line) => `${line}\nwait\nprintf '\\002' >&9`).join("\n");
	writeFileSync(join(folder, "lines.sh"), `PATH=/nowhere\n${told}\n${builtins}\ncd work\n${script}\n`);
	execFileSync("bash", ["-c", "mkdir work; exec 9>>heard; . ./lines.sh"], { cwd: folder, stdio: "ignore", timeout: 60_000 });
	const heard = readFileSync(join(folder, "heard"), "utf8").split("\u0002").slice(0, -1);
	return heard.map((line) => line.split("\u0001").slice(0, -1).sort());
}
