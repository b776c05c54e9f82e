import { expect, test } from "vitest";
import { parseSlashCommand, SLASH_COMMANDS, suggestCommands } from "./slash-commands.ts";

test("[PG55] a slash lists the commands and narrows them while typing", () => {
	expect(suggestCommands("/")).toEqual(SLASH_COMMANDS);
	expect(suggestCommands("/te")?.[0]?.name).toBe("terminal");
	expect(suggestCommands("/model gpt")).toBeUndefined();
	expect(suggestCommands("/usr")).toBeUndefined();
	expect(suggestCommands("see /new")).toBeUndefined();
});

test("[PG55] a known command runs with its argument; a path or a sentence stays a prompt", () => {
	expect(parseSlashCommand("/model  demo-pilot ")).toEqual({ kind: "run", name: "model", argument: "demo-pilot" });
	expect(parseSlashCommand("/cwd ~/my project")).toEqual({ kind: "run", name: "cwd", argument: "~/my project" });
	expect(parseSlashCommand("/cwd")).toEqual({ kind: "needs-argument", name: "cwd" });
	expect(parseSlashCommand("/usr/bin/env is missing")).toBeUndefined();
	expect(parseSlashCommand("/new lines are lost")).toBeUndefined();
	expect(parseSlashCommand("what does /new do")).toBeUndefined();
});
