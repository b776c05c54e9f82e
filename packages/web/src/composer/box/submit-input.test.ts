import { isShellLine } from "@rightseat/protocol/parse-input";
import { expect, test } from "vitest";
import { submitInput } from "./submit-input.ts";

function submit(text: string, attachments = 0) {
	const calls: unknown[][] = [];
	const result = submitInput(
		{ text, mode: "enqueue", attachments },
		{
			handleBashSend: (command) => calls.push(["bash", command]),
			handleSend: (prompt, mode) => calls.push(["send", prompt, mode]),
			handleCommand: (name, argument) => calls.push(["command", name, argument]),
		},
	);
	return { result, calls };
}

test("[PG56] !ls -la goes to handleBashSend as ls -la and never to the model", () => {
	expect(submit("!ls -la")).toEqual({ result: "sent", calls: [["bash", "ls -la"]] });
});

test("[PG57] ! alone does nothing", () => {
	expect(submit("!")).toEqual({ result: "ignored", calls: [] });
	expect(submit("  !   ")).toEqual({ result: "ignored", calls: [] });
	expect(submit("!", 1)).toEqual({ result: "ignored", calls: [] });
});

test("[PG58] text that does not begin with ! goes to the model untouched", () => {
	expect(submit("Well done!  \n")).toEqual({ result: "sent", calls: [["send", "Well done!  \n", "enqueue"]] });
});

test("[PG59] spaces between ! and the command are trimmed", () => {
	expect(submit("!  ls")).toEqual({ result: "sent", calls: [["bash", "ls"]] });
});

test("[PG55] a command of the page is run by the page", () => {
	expect(submit("/model demo")).toEqual({ result: "sent", calls: [["command", "model", "demo"]] });
	expect(submit("/cwd")).toEqual({ result: "needs-argument", calls: [] });
});

test("[PG60] files alone may be sent, nothing at all may not", () => {
	expect(submit("", 1)).toEqual({ result: "sent", calls: [["send", "", "enqueue"]] });
	expect(submit("  \n")).toEqual({ result: "ignored", calls: [] });
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
