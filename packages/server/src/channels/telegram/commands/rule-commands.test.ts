import { expect, test } from "vitest";
import type { PermissionRule } from "../../../core/ports/permission-rules.ts";
import { MESSAGES } from "../messages/messages.ts";
import type { ButtonAction } from "./buttons.ts";
import { createRuleCommands } from "./rule-commands.ts";

function bed(rules: PermissionRule[]) {
	const said: string[] = [];
	const made: ButtonAction[] = [];
	const revoked: string[] = [];
	const commands = createRuleCommands({
		remembered: {
			list: () => rules,
			revoke(id, source) {
				revoked.push(`${id} by ${source}`);
				return rules.some((rule) => rule.id === id);
			},
		},
		buttons: {
			make(_, text, action) {
				made.push(action);
				return { text, callback_data: text };
			},
		},
		speaker: { words: () => MESSAGES.en, say: (_, text) => void said.push(String(text)) },
	});
	return { commands, said, made, revoked };
}
const rule = (n: number): PermissionRule => ({
	...{ id: `r${n}`, folder: "/shop", words: ["rm", `f${n}`], exact: true, writes: false, createdAt: n },
});

test("[TG540] /permissions lists what is allowed for good, the newest first, and takes it back in the name of whoever tapped", () => {
	const { commands, said, made, revoked } = bed(Array.from({ length: 12 }, (_, n) => rule(n)));
	commands.list({ chatId: 7 });
	expect(said[0]).toContain("1. rm f11 · exactly these words · in /shop");
	expect(said[0]).toContain("… and 2 more");
	expect(made[0]).toEqual({ kind: "rule-revoke", ruleId: "r11" });
	expect(commands.takeBack({ chatId: 7 }, { ruleId: "r11" }, "Ann (7)")).toBe("It is asked about again.");
	expect(commands.takeBack({ chatId: 7 }, { ruleId: "gone" }, "Ann (7)")).toBe("It was taken back already.");
	expect(revoked).toEqual(["r11 by telegram Ann (7)", "gone by telegram Ann (7)"]);
});

test("[TG540] a group, where everybody reads along, is told of none", () => {
	const { commands, said, made } = bed([rule(1)]);
	commands.list({ chatId: -7 });
	expect([said, made]).toEqual([[MESSAGES.en.rulesPrivate], []]);
	const empty = bed([]);
	empty.commands.list({ chatId: 7 });
	expect(empty.said).toEqual([MESSAGES.en.noRules]);
});
