import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { commandsWith, createSessionCommands } from "./commands.ts";

const item = (name: string, enabled = true) => ({ name, source: "SKILL.md", enabled });

test("[SA40] before a session is open the list is what is written, and skills whose name is free", () => {
	const skills = [item("greet"), item("off", false), item("Allow-All"), item("yolo"), item("review"), item("two words")];
	expect(commandsWith(skills).map(({ name }) => name)).toEqual(["init", "review", "security-review", "research", "greet"]);
});

/** A session whose runtime has these commands, the kind before the name. */
function sessionWith(...known: [kind: "builtin" | "skill" | "client", name: string, ...aliases: string[]][]) {
	const invoked: string[] = [];
	const commands = {
		list: async () => ({
			commands: known.map(([kind, name, ...aliases]) => ({ kind, name, aliases, description: "d", allowDuringAgentExecution: false })),
		}),
		async invoke({ name, input }: { name: string; input?: string }) {
			invoked.push(name);
			if (input === "bad") throw new Error("Usage: …");
			return { kind: "agent-prompt" as const, prompt: `words of ${name} ${input}`, displayPrompt: "" };
		},
	};
	const held = { sdk: { rpc: { commands } }, gone: new AbortController().signal };
	const attachment = { attach: async () => held, peek: () => held };
	return { invoked, session: createSessionCommands({ attachment, clock: createFakeClock() }) };
}

test("[SA40] only what is on the list, and skills that the session has, ever reach the runtime, by exactly their name", async () => {
	const { session, invoked } = sessionWith(
		...(
			[
				["builtin", "allow-all", "yolo"],
				["builtin", "brand-new", "bn"],
				["builtin", "review"],
				["client", "own"],
			] as const
		).map((each) => [...each] as never),
		...(["greet", "bn", "Allow-All", "sandbox", "a b"] as const).map((name) => ["skill", name] as ["skill", string]),
	);
	expect((await session.commands())?.map(({ name }) => name)).toEqual(["review", "greet"]);
	const names = [
		"allow-all",
		"yolo",
		"brand-new",
		"bn",
		"Allow-All",
		"sandbox",
		"own",
		"a b",
		"Greet",
		"REVIEW",
		"init",
		"cwd",
		"toString",
	];
	for (const name of names) expect(await session.expand({ name, input: "on" }), name).toBeUndefined();
	expect(invoked).toEqual([]);
	expect(await session.expand({ name: "greet", input: "Anna" })).toBe("words of greet Anna");
	// Words that it cannot do anything with are the model's to read.
	expect(await session.expand({ name: "review", input: "bad" })).toBeUndefined();
	expect(invoked).toEqual(["greet", "review"]);
});
