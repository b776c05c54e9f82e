import type { RememberedRule } from "@rightseat/protocol/model/remembered-rule";
import type { RuleShape } from "./rule-match.ts";

/** A rule as people read it: its words as they would be typed. */
export const shownRule = ({ words, exact, writes, folder }: RuleShape & { folder: string }): RememberedRule => ({
	text: words.map(typed).join(" "),
	...{ exact, writes, folder },
});

/** The same in one line, for the audit log. */
export const describeRule = (rule: RuleShape & { folder: string }) => describeShown(shownRule(rule));

export const describeShown = ({ text, exact, writes, folder }: RememberedRule) =>
	`${text}${exact ? "" : " …"}${writes ? " > file" : ""} in ${folder}`;

const typed = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
