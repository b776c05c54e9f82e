import type { ServerFrame } from "@rightseat/protocol/frames/server";
import { expect, test } from "vitest";
import { createTypeWhenReady } from "./type-when-ready.ts";

const opened = (terminalId: string, scrollback: string): ServerFrame => ({
	type: "terminal:opened",
	data: { terminalId, scrollback, cols: 80, rows: 24 },
});
const output = (terminalId: string): ServerFrame => ({ type: "terminal:output", data: { terminalId, data: "$ " } });

test("[PG408] a login command is typed once, when the shell has shown its prompt, and never ends with Enter", () => {
	const typed: string[] = [];
	const terminal = createTypeWhenReady("t-1", (text) => typed.push(text));
	terminal.want("codex login\nrm -r x");
	terminal.receive(opened("t-1", ""));
	terminal.receive(output("t-2"));
	expect(typed).toEqual([]);
	terminal.receive(output("t-1"));
	terminal.receive(output("t-1"));
	expect(typed).toEqual(["codex login rm -r x"]);
	terminal.want("codex login");
	expect(typed).toHaveLength(2);
});

test("[PG408] a shell that was there before has shown something", () => {
	const typed: string[] = [];
	const terminal = createTypeWhenReady("t-1", (text) => typed.push(text));
	terminal.want("codex login");
	terminal.receive(opened("t-1", "$ "));
	expect(typed).toEqual(["codex login"]);
});
