import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { TypedCommand } from "../ports/agent-commands.ts";
import { readCommand } from "./expand-command.ts";

let bed: CoreBed;
let id: ConversationId;
const asked: TypedCommand[] = [];
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
	asked.length = 0;
	bed.runtime.expand = async (typed) => {
		asked.push(typed);
		if (typed.name === "broken") throw new AppError("session-failed", "No answer.");
		return typed.name === "greet" ? `Greet ${typed.input} warmly.` : undefined;
	};
});
afterEach(() => bed.close());

const send = (prompt: string, mode?: "immediate") =>
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web", ...(mode === undefined ? {} : { mode }) });

test("[SA41] the model gets the words of a command, people see what was typed, and anything else is a prompt", async () => {
	send("/greet Anna");
	const first = await bed.runtime.nextTurn();
	expect(first.input).toEqual({ prompt: "Greet Anna warmly.", displayPrompt: "/greet Anna" });
	send("/greet Ben", "immediate");
	await bed.clock.advance(0);
	expect(first.steered).toEqual([{ prompt: "Greet Ben warmly.", displayPrompt: "/greet Ben" }]);
	first.end();
	await bed.clock.advance(100);
	for (const typed of ["/allow-all", "/usr/bin is full", "no /greet"]) {
		send(typed);
		const turn = await bed.runtime.nextTurn();
		expect(turn.input).toEqual({ prompt: typed, displayPrompt: typed });
		turn.end();
		await bed.clock.advance(100);
	}
	expect(asked.map(({ name }) => name)).toEqual(["greet", "greet", "allow-all"]);
	const { messages } = bed.conversations.messages(id, { limit: 20 });
	expect(messages.flatMap(({ role, content }) => (role === "user" ? [content] : []))).toEqual([
		...["/greet Anna", "/greet Ben", "/allow-all", "/usr/bin is full", "no /greet"],
	]);
});

test("[SA41] what the model is told before a prompt, it is told before the words of a command", async () => {
	send("First");
	const first = await bed.runtime.nextTurn();
	first.text("Half an ans");
	first.end("interrupted");
	await bed.clock.advance(100);
	send("/greet Anna");
	const { input } = await bed.runtime.nextTurn();
	expect(input.prompt).toMatch(/^\[Your previous answer was interrupted[\s\S]*Half an ans\n\nGreet Anna warmly\.$/);
});

test("[SA41] an agent that does not say what a command means ends the turn with an error, and gets nothing", async () => {
	send("/broken");
	await bed.clock.advance(100);
	expect(bed.conversations.messages(id, { limit: 5 }).messages.at(-1)).toMatchObject({
		role: "assistant",
		metadata: { outcome: "error", error: { code: "session-failed" } },
	});
});

test("[SA42] commands are told as the session has them, else as the next one will, starting nothing", async () => {
	bed.runtime.commands = (skills) => [{ name: "review", description: "", kind: "agent" }, ...skills.map(({ name }) => toSkill(name))];
	bed.found.push({ kind: "skill", name: "greet", source: ".github/skills/greet/SKILL.md" }, { kind: "hook", name: "h", source: "x" });
	expect(await bed.setups.commands(id)).toEqual([
		{ name: "review", description: "", kind: "agent" },
		{ ...toSkill("greet"), source: ".github/skills/greet/SKILL.md" },
	]);
	expect(bed.runtime.opened).toEqual([]);
	bed.runtime.offers = async () => [...Array(300).keys()].map((n) => toSkill(`s${n}`));
	send("Hello");
	(await bed.runtime.nextTurn()).end();
	await bed.clock.advance(100);
	expect(await bed.setups.commands(id)).toHaveLength(200);
	bed.runtime.outdate();
	expect(await bed.setups.commands(id)).toHaveLength(2);
});

const toSkill = (name: string) => ({ name, description: "", kind: "skill" as const });

test("[SA41] a command is a name behind a slash at the very beginning", () => {
	expect(readCommand("/greet  Anna\nand Ben ")).toEqual({ name: "greet", input: "Anna\nand Ben" });
	expect(readCommand("/a:b-c")).toEqual({ name: "a:b-c", input: "" });
	for (const none of ["/", "/ greet", " /greet", "/tmp/x", "//x", "/-x", "greet", "/greet, Anna"])
		expect(readCommand(none), none).toBeUndefined();
});
