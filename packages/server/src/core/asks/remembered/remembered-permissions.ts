import type { Clock } from "../../kernel/clock.ts";
import type { IdSource } from "../../kernel/ids.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { PermissionRule, PermissionRuleStore } from "../../ports/permission-rules.ts";
import { holdsOnDisk, type LookAtFolders, ruleFolder } from "./on-disk.ts";
import { readCommand } from "./read-command.ts";
import { matchRules, type RuleShape, ruleFor } from "./rule-match.ts";

/** Rules of all folders together; the oldest is forgotten and asked for again. */
export const MAX_PERMISSION_RULES = 500;
/** The words of one rule; longer ones are not offered. */
export const MAX_RULE_CHARS = 2_048;

/** What a person would allow for good: each in its folder. */
export type OfferedRule = RuleShape & { folder: string };

/** Permissions that hold for a folder until a person takes them back. */
export interface RememberedPermissions {
	/** Whether this command, given in `cwd`, is nothing but what was allowed there. Never rejects: what cannot be told is asked about. */
	covers(command: string, cwd: string): Promise<boolean>;
	/** The rules that would cover it from now on; empty when none can, and then it can only be allowed once. */
	offer(command: string, cwd: string): Promise<OfferedRule[]>;
	/** Keeps what was offered, and nothing else: a person agreed to exactly this list. */
	remember(rules: readonly OfferedRule[]): void;
	list(): PermissionRule[];
	/** False when there is none of that id. */
	revoke(id: string): boolean;
}

export function createRememberedPermissions(deps: {
	rules: PermissionRuleStore;
	folders: LookAtFolders;
	clock: Pick<Clock, "now">;
	ids: IdSource;
	logger: Logger;
	/** Hides secrets; words that hold one are never kept. */
	redact(text: string): string;
}): RememberedPermissions {
	const { rules: store, folders } = deps;

	async function isCovered(command: string, place: { cwd: string; folder: string }, given: string, rules: readonly RuleShape[]) {
		const match = matchRules(rules, readCommand(command), place);
		if (!match.covered) return false;
		// In a folder that was entered by a link, `cd ..` leads to where the link lies.
		if (match.cwds.length > 1 && given !== place.cwd) return false;
		return holdsOnDisk(folders, match, place.folder);
	}

	async function offerAt(command: string, given: string): Promise<OfferedRule[]> {
		const read = readCommand(command);
		const place = read.read ? await ruleFolder(folders, given) : undefined;
		if (!read.read || place === undefined) return [];
		const wanted = read.parts.filter(({ words }) => words[0] !== "cd").map(ruleFor);
		const texts = wanted.map(({ words }) => JSON.stringify(words));
		if (texts.some((text) => text.length > MAX_RULE_CHARS || deps.redact(text) !== text)) return [];
		// An offer that would not cover the very command it is made for would be a promise that nobody keeps.
		if (!(await isCovered(command, place, given, wanted))) return [];
		const merged = new Map<string, OfferedRule>();
		for (const rule of wanted) {
			const key = JSON.stringify([rule.exact, rule.words]);
			const writes = rule.writes || merged.get(key)?.writes === true;
			merged.set(key, { ...rule, writes, folder: rule.exact ? place.cwd : place.folder });
		}
		return [...merged.values()];
	}

	/** A folder that does not answer, say: then a person decides, as without rules. */
	async function orElse<Result>(answer: Promise<Result>, otherwise: Result): Promise<Result> {
		try {
			return await answer;
		} catch (error) {
			deps.logger.warn({ err: error }, "Remembered permissions could not be compared with the folder; a person is asked");
			return otherwise;
		}
	}

	async function coversAt(command: string, given: string): Promise<boolean> {
		const place = readCommand(command).read ? await ruleFolder(folders, given) : undefined;
		if (place === undefined) return false;
		const prefixes = store.ofFolder(place.folder).filter(({ exact }) => !exact);
		const exacts = store.ofFolder(place.cwd).filter(({ exact }) => exact);
		return isCovered(command, place, given, [...prefixes, ...exacts]);
	}

	return {
		covers: (command, cwd) => orElse(coversAt(command, cwd), false),
		offer: (command, cwd) => orElse(offerAt(command, cwd), []),
		remember(offered) {
			for (const rule of offered) store.add({ ...rule, id: deps.ids.next(), createdAt: deps.clock.now() });
			for (const { id } of store.list().slice(0, -MAX_PERMISSION_RULES)) store.remove(id);
		},
		list: () => store.list(),
		revoke: (id) => store.remove(id),
	};
}
