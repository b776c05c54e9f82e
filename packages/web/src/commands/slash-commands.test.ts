import { expect, test } from "vitest";
import { SLASH_COMMANDS } from "./registry.ts";
import { parseSlashCommand, suggestCommands } from "./slash-commands.ts";

const suggest = (text: string) => suggestCommands(text, SLASH_COMMANDS);

test("[PG55] a slash lists the commands and narrows them while typing", () => {
	expect(suggest("/")).toEqual(SLASH_COMMANDS);
	expect(suggest("/te")?.[0]?.id).toBe("terminal");
	expect(suggest("/model gpt")).toBeUndefined();
	expect(suggest("/usr")).toBeUndefined();
	expect(suggest("see /new")).toBeUndefined();
});

test("[PG55] a known command runs with its argument; a path or a sentence stays a prompt", () => {
	expect(parseSlashCommand("/model  demo-pilot ")).toEqual({ kind: "run", name: "model", argument: "demo-pilot" });
	expect(parseSlashCommand("/cwd ~/my project")).toEqual({ kind: "run", name: "cwd", argument: "~/my project" });
	expect(parseSlashCommand("/cwd")).toEqual({ kind: "needs-argument", name: "cwd" });
	expect(parseSlashCommand("/usr/bin/env is missing")).toBeUndefined();
	expect(parseSlashCommand("/new lines are lost")).toBeUndefined();
	expect(parseSlashCommand("what does /new do")).toBeUndefined();
});
