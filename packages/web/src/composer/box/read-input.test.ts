import { isShellLine } from "@rightseat/protocol/parse-input";
import { expect, test } from "vitest";
import { readInput } from "./read-input.ts";

const read = (text: string, attachments = 0) => readInput(text, { attachments });

test("[PG56] !ls -la is the shell command ls -la and no prompt", () => {
	expect(read("!ls -la")).toEqual({ kind: "shell", command: "ls -la" });
});

test("[PG57] ! alone does nothing", () => {
	expect(read("!")).toEqual({ kind: "nothing" });
	expect(read("  !   ")).toEqual({ kind: "nothing" });
	expect(read("!", 1)).toEqual({ kind: "nothing" });
});

test("[PG58] text that does not begin with ! goes to the model untouched", () => {
	expect(read("Well done!  \n")).toEqual({ kind: "prompt", prompt: "Well done!  \n" });
});

test("[PG59] spaces between ! and the command are trimmed", () => {
	expect(read("!  ls")).toEqual({ kind: "shell", command: "ls" });
});

test("[PG55] a command of the page is run by the page", () => {
	expect(read("/model demo")).toEqual({ kind: "command", name: "model", argument: "demo" });
	expect(read("/cwd")).toEqual({ kind: "needs-argument", name: "cwd" });
});

test("[PG60] files alone may be sent, nothing at all may not", () => {
	expect(read("", 1)).toEqual({ kind: "prompt", prompt: "" });
	expect(read("  \n")).toEqual({ kind: "nothing" });
});

test("[PG56] the box looks like a shell line from the first !", () => {
	expect([isShellLine("!"), isShellLine("  !ls"), isShellLine("！ls"), isShellLine("ls!"), isShellLine("")]).toEqual([
		true,
		true,
		true,
		false,
		false,
	]);
});
