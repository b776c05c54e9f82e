import type { FolderSetupAnswer } from "@rightseat/protocol/http/folders";
import { expect, test } from "vitest";
import { conversationId } from "../../../core/kernel/ids.ts";
import { MESSAGES } from "../messages/messages.ts";
import type { ButtonAction } from "./buttons.ts";
import { createTrustCommand } from "./trust-command.ts";

const SHOP: FolderSetupAnswer = {
	path: "/shop",
	trusted: false,
	found: [
		{ kind: "hook", name: "sessionStart", source: ".github/hooks/a.json", runs: "./greet.sh" },
		{ kind: "lsp", name: "lsp.json", source: ".github/lsp.json", problem: "not-json" },
		{ kind: "skill", name: "release", source: ".github/skills/release/SKILL.md" },
		{ kind: "instructions", name: "AGENTS.md", source: "AGENTS.md" },
	],
};

function bed(conversation = { id: "c1", cwd: "/shop" }) {
	const said: string[] = [];
	const made: ButtonAction[] = [];
	const words: unknown[] = [];
	const state = { setup: SHOP };
	const command = createTrustCommand({
		folderTrust: { setup: async () => state.setup, set: async (path, word) => void words.push({ path, ...word }) },
		conversations: { get: () => conversation },
		bindings: { ensure: async () => ({ entry: { conversationId: conversationId("c1") } }) },
		buttons: { make: (_, text, action) => ({ text, callback_data: String(made.push(action)) }) },
		speaker: {
			words: () => MESSAGES.en,
			say: (_, text, { keyboard = [] } = {}) => void said.push([text, ...keyboard.flat().map((button) => `[${button.text}]`)].join("\n")),
		},
	});
	const tap = async () => {
		const action = made.at(-1);
		if (action?.kind !== "trust") throw new Error("There is no button.");
		return command.perform({ chatId: 7 }, action, "Ann (7)");
	};
	return { command, state, said, made, words, tap };
}
const thread = { chatId: 7 };

test("[TG504] /trust shows every program with its file and its whole command line before it can be trusted, and takes it back", async () => {
	const { command, state, said, words, tap } = bed();
	await command.show(thread);
	expect(said).toEqual([
		[
			`/shop\n\n${MESSAGES.en.trustState(false)}\n`,
			"• Hook sessionStart (.github/hooks/a.json)\n./greet.sh",
			"• Language server lsp.json (.github/lsp.json)\ncould not be understood here; the agent may understand it",
			"and 1 skill, agent or command\n[Trust this folder]",
		].join("\n"),
	]);
	expect(await tap()).toBe("Trusted from the next prompt on.");
	state.setup = { ...SHOP, trusted: true };
	await command.show(thread);
	expect(said[1]).toContain("[Take trust back]");
	expect(await tap()).toMatch(/^Taken back/);
	expect(words).toEqual([
		{ path: "/shop", trusted: true, source: "Ann (7)" },
		{ path: "/shop", trusted: false, source: "Ann (7)" },
	]);
});

test("[TG504] what changed since it was shown, does not fit, or is on another host is not trusted from the chat", async () => {
	const { command, state, said, made, words, tap } = bed();
	await command.show(thread);
	state.setup = { ...SHOP, found: [{ kind: "hook", name: "sessionStart", source: "a.json", runs: "evil" }] };
	expect(await tap()).toBe(MESSAGES.en.trustChanged);
	state.setup = { ...SHOP, found: [{ kind: "hook", name: "x", source: "a.json", runs: "x".repeat(3_001) }] };
	await command.show(thread);
	state.setup = { ...SHOP, more: true };
	await command.show(thread);
	state.setup = { ...SHOP, found: [] };
	await command.show(thread);
	expect(said.slice(1).map((text) => text.split("\n\n")[2])).toEqual([
		MESSAGES.en.trustTooMuch,
		MESSAGES.en.trustTooMuch,
		MESSAGES.en.trustNothing,
	]);
	const far = bed({ id: "abcdefgh234567ab_c1", cwd: "/shop" });
	await far.command.show(thread);
	expect([made.length >= 1, far.made, words]).toEqual([true, [], []]);
});
