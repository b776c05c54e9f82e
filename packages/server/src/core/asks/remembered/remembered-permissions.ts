import type { Clock } from "../../kernel/clock.ts";
import type { IdSource } from "../../kernel/ids.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { AuditLog } from "../../ports/audit.ts";
import type { PermissionRule, PermissionRuleStore } from "../../ports/permission-rules.ts";
import { holdsOnDisk, type LookAtFolders, ruleFolder } from "./on-disk.ts";
import { readCommand } from "./read-command.ts";
import { matchRules, type RuleShape, ruleFor } from "./rule-match.ts";
import { describeRule } from "./rule-text.ts";

/** Rules of all folders together; the oldest is forgotten and asked for again. */
export const MAX_PERMISSION_RULES = 500;
/** The words of one rule; longer ones are not offered. */
export const MAX_RULE_CHARS = 2_048;

/** More rules at once than a person reads before they say yes are not offered. */
export const MAX_OFFERED_RULES = 6;

/** What a person would allow for good: each in its folder. */
export type OfferedRule = RuleShape & { folder: string };

/** Rules that cover a command, and the real path of the folder for which that is true. */
export interface Cover {
	cwd: string;
	rules: PermissionRule[];
}

/** Permissions that hold for a folder until a person takes them back. */
export interface RememberedPermissions {
	/** What makes this command, given in `cwd`, nothing but what was allowed there; undefined: a person is asked. Never rejects. */
	covers(command: string, cwd: string): Promise<Cover | undefined>;
	/** The rules that would cover it from now on; empty when none can, and then it can only be allowed once. */
	offer(command: string, cwd: string): Promise<OfferedRule[]>;
	/** The real path of a folder; undefined when it is not there or does not answer. */
	realFolder(path: string): Promise<string | undefined>;
	/** Keeps what was offered, and nothing else: a person agreed to exactly this list. */
	remember(rules: readonly OfferedRule[]): void;
	list(): PermissionRule[];
	/** Holds from now on, also for what is being compared at this moment. `source`: who, for the audit log. False when there is none of that id. */
	revoke(id: string, source: string): boolean;
}

interface Place {
	cwd: string;
	folder: string;
	/** As the shell knows it: perhaps by a link. */
	given: string;
}

export function createRememberedPermissions(deps: {
	rules: PermissionRuleStore;
	folders: LookAtFolders;
	clock: Pick<Clock, "now">;
	ids: IdSource;
	logger: Logger;
	audit?: Pick<AuditLog, "record">;
	/** Hides secrets; words that hold one are never kept. */
	redact(text: string): string;
}): RememberedPermissions {
	const { rules: store, folders } = deps;

	async function rulesFor<Rule extends RuleShape>(command: string, place: Place, rules: readonly Rule[]): Promise<Rule[] | undefined> {
		const match = matchRules(rules, readCommand(command), place);
		if (!match.covered) return undefined;
		// In a folder that was entered by a link, `cd ..` leads to where the link lies.
		if (match.cwds.length > 1 && place.given !== place.cwd) return undefined;
		return (await holdsOnDisk(folders, match, place.folder)) ? match.rules : undefined;
	}

	async function placeOf(given: string): Promise<Place | undefined> {
		const found = await ruleFolder(folders, given);
		return found && { ...found, given };
	}

	async function offerAt(command: string, given: string): Promise<OfferedRule[]> {
		const read = readCommand(command);
		const place = read.read ? await placeOf(given) : undefined;
		if (!read.read || place === undefined || deps.redact(place.cwd) !== place.cwd) return [];
		const wanted = read.parts.filter(({ words }) => words[0] !== "cd").map(ruleFor);
		const texts = wanted.map(({ words }) => JSON.stringify(words));
		if (texts.some((text) => text.length > MAX_RULE_CHARS || deps.redact(text) !== text)) return [];
		// An offer that would not cover the very command it is made for would be a promise that nobody keeps.
		if ((await rulesFor(command, place, wanted)) === undefined) return [];
		const merged = new Map<string, OfferedRule>();
		for (const rule of wanted) {
			const key = JSON.stringify([rule.exact, rule.words]);
			const writes = rule.writes || merged.get(key)?.writes === true;
			merged.set(key, { ...rule, writes, folder: rule.exact ? place.cwd : place.folder });
		}
		return merged.size > MAX_OFFERED_RULES ? [] : [...merged.values()];
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

	async function coversAt(command: string, given: string): Promise<Cover | undefined> {
		const place = readCommand(command).read ? await placeOf(given) : undefined;
		if (place === undefined) return undefined;
		const prefixes = store.ofFolder(place.folder).filter(({ exact }) => !exact);
		const exacts = store.ofFolder(place.cwd).filter(({ exact }) => exact);
		const rules = await rulesFor(command, place, [...prefixes, ...exacts]);
		// Somebody may have taken one back while the disk was looked at. Without a rule there is nothing but `cd`, and nothing to look at.
		if (rules === undefined || rules.length === 0) return undefined;
		const held = new Set(store.list().map(({ id }) => id));
		return rules.every(({ id }) => held.has(id)) ? { cwd: place.cwd, rules } : undefined;
	}

	return {
		covers: (command, cwd) => orElse(coversAt(command, cwd), undefined),
		offer: (command, cwd) => orElse(offerAt(command, cwd), []),
		async realFolder(path) {
			const found = await orElse(folders.look(path), undefined);
			return found?.isDirectory === true ? found.realPath : undefined;
		},
		remember(offered) {
			for (const rule of offered) store.add({ ...rule, id: deps.ids.next(), createdAt: deps.clock.now() });
			for (const { id } of store.list().slice(0, -MAX_PERMISSION_RULES)) store.remove(id);
		},
		list: () => store.list(),
		revoke(id, source) {
			const rule = store.list().find((each) => each.id === id);
			if (rule === undefined || !store.remove(id)) return false;
			deps.audit?.record({ kind: "permission-rule", source, detail: `taken back: ${describeRule(rule)}` });
			return true;
		},
	};
}
