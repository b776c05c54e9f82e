import { visibleCommand } from "@rightseat/protocol/visible-command";
import type { RememberedPermissions } from "../../../core/asks/remembered/remembered-permissions.ts";
import { shownRule } from "../../../core/asks/remembered/rule-text.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import { oneLine } from "../render/status-text.ts";
import type { Buttons } from "./buttons.ts";

/** Rules that one message lists; the page has all of them. */
const MAX_LISTED = 10;
const MAX_RULE_LINE_CHARS = 300;

/** `/permissions`: what is allowed for good, each with a button that takes it back. */
export interface RuleCommands {
	list(thread: ChatThread): void;
	/** What the button does; the sentence to say. */
	takeBack(thread: ChatThread, action: { ruleId: string }, by: string): string;
}

export function createRuleCommands(deps: {
	remembered: Pick<RememberedPermissions, "list" | "revoke">;
	buttons: Pick<Buttons, "make">;
	speaker: Pick<Speaker, "words" | "say">;
}): RuleCommands {
	const { remembered, speaker } = deps;
	return {
		list(thread) {
			const words = speaker.words(thread);
			// Everybody in a group reads along, and rules are about the machine.
			if (thread.chatId < 0) return speaker.say(thread, words.rulesPrivate);
			const newest = remembered.list().toReversed();
			const shown = newest.slice(0, MAX_LISTED);
			if (shown.length === 0) return speaker.say(thread, words.noRules);
			const lines = shown.map(
				(rule, index) => `${index + 1}. ${oneLine(visibleCommand(words.rule(shownRule(rule))), MAX_RULE_LINE_CHARS)}`,
			);
			const more = newest.length > shown.length ? [words.moreRules(newest.length - shown.length)] : [];
			const keyboard = shown.map(({ id: ruleId }, index) => [
				deps.buttons.make(thread.chatId, `${index + 1} · ${words.takeBack}`, { kind: "rule-revoke", ruleId }),
			]);
			speaker.say(thread, [words.rulesTitle, ...lines, ...more].join("\n\n"), { keyboard });
		},
		takeBack(thread, { ruleId }, by) {
			const words = speaker.words(thread);
			return remembered.revoke(ruleId, `telegram ${by}`) ? words.ruleTakenBack : words.ruleGone;
		},
	};
}
