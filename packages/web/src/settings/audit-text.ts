import type { AuditEntry } from "@rightseat/protocol/http/app";
import { visibleCommand } from "@rightseat/protocol/visible-command";
import { type Language, type Translate, translator } from "../i18n/words.ts";
import { auditDetailWords } from "./audit-messages.ts";
import { deviceName } from "./device-name.ts";

type Key = keyof (typeof auditDetailWords)["en"];
type Say = Translate<Key>;

const ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const DECIDED = new RegExp(`^([a-z-]+) in (${ID})(?:: (.*))?$`, "s");
const ANSWERED = new RegExp(`^in (${ID}): (.*)$`, "s");
const DELETED = new RegExp(`^${ID} (.*)$`, "s");
const RULE_USED = new RegExp(`^(.*) in (${ID}), by (.*)$`, "s");
const RULE_CHANGED = /^(made|taken back): (.*)$/s;
const TERMINAL = new RegExp(`^t-(${ID})$`);
const ONLY_ID = /^[\w-]{16,}$/;
const FIXED: [stored: string, key: Key][] = [
	["password set", "passwordSet"],
	["password removed", "passwordRemoved"],
	["passkey removed", "passkeyRemoved"],
	["locked: password, passkeys, notifications, Telegram pairings and the token as well", "locked"],
];

/** What a line of the audit log is about, in words. Stored are names and ids: nobody knows a conversation or a device by those. */
export function auditText(
	{ kind, detail, source }: Pick<AuditEntry, "kind" | "detail" | "source">,
	{ language, titleOf }: { language: Language; titleOf(conversationId: string): string | undefined },
): { detail: string; source: string } {
	const say = translator(auditDetailWords, language);
	const where = (id: string) => {
		const title = titleOf(id);
		return title === undefined ? say("inUnknown") : say("inConversation", { title: title === "" ? say("unnamed") : title });
	};
	return { detail: detailText(kind, detail, say, where), source: words(say, `source.${source}`) ?? source };
}

function detailText(kind: string, detail: string, say: Say, where: (id: string) => string): string {
	switch (kind) {
		case "login":
		case "login-failed":
			return words(say, `method.${detail}`) ?? detail;
		case "permission":
		case "permission-mode": {
			const [, name = "", id, what = "…"] = DECIDED.exec(detail) ?? [];
			if (id === undefined) return detail;
			const said = words(say, kind === "permission" ? `decision.${name}` : `mode.${name}`, { what }) ?? `${name}: ${what}`;
			return `${said} · ${where(id)}`;
		}
		case "permission-rule": {
			const [, done, rule = ""] = RULE_CHANGED.exec(detail) ?? [];
			return done === undefined ? detail : say(done === "made" ? "ruleMade" : "ruleTakenBack", { rule: visibleCommand(rule) });
		}
		case "folder-trust": {
			const [, not, path = ""] = /^(not )?trusted (.*)$/s.exec(detail) ?? [];
			return path === "" ? detail : say(not === undefined ? "folderTrusted" : "folderUntrusted", { path: visibleCommand(path) });
		}
		case "rule-used": {
			const [, command = "", id, rule = ""] = RULE_USED.exec(detail) ?? [];
			return id === undefined ? visibleCommand(detail) : `${visibleCommand(command)} · ${where(id)} · ${visibleCommand(rule)}`;
		}
		case "answer": {
			const [, id, answer] = ANSWERED.exec(detail) ?? [];
			return id === undefined ? detail : `${answer} · ${where(id)}`;
		}
		case "conversation-deleted":
			return (DELETED.exec(detail)?.[1] ?? detail) || say("unnamed");
		case "terminal": {
			const id = TERMINAL.exec(detail)?.[1];
			return id === undefined ? detail : where(id);
		}
		case "session-revoked":
			// Older servers noted the id of the login, which tells nobody anything.
			return ONLY_ID.test(detail) ? "" : deviceName(detail);
		case "settings":
			return settingText(detail, say) ?? sentence(detail, say);
		case "model-account":
			return words(say, `account.${detail}`) ?? detail;
		case "telegram":
		case "push":
		case "logout-everywhere":
			return sentence(detail, say);
		default:
			// A command, word for word, whatever it looks like.
			return visibleCommand(detail);
	}
}

/** A change of settings is stored as the fields that were sent. */
function settingText(detail: string, say: Say): string | undefined {
	if (!detail.startsWith("{")) return undefined;
	try {
		const fields: unknown = JSON.parse(detail);
		return Object.entries(Object(fields))
			.map(([name, value]) => {
				const text = value === "" ? say("byServer") : (words(say, `value.${value}`) ?? String(value));
				return words(say, `setting.${name}`, { value: text }) ?? `${name}: ${text}`;
			})
			.join(" · ");
	} catch {
		// Cut at the log's bound: then it is shown as it was stored.
		return undefined;
	}
}

function sentence(detail: string, say: Say): string {
	const added = /^passkey added: (.*)$/s.exec(detail)?.[1];
	if (added !== undefined) return say("passkeyAdded", { name: added });
	const [, verb, name = ""] = /^(paired|removed) (.*)$/s.exec(detail) ?? [];
	if (verb === "paired" || verb === "removed") return say(verb, { name });
	const host = /^subscribed at (.*)$/s.exec(detail)?.[1];
	if (host !== undefined) return say("subscribed", { host });
	const fixed = FIXED.find(([stored]) => stored === detail)?.[1];
	return fixed === undefined ? detail : say(fixed);
}

/** The words under this key, where there are any: a newer server may use more names. */
function words(say: Say, key: string, params?: { what: string } | { value: string }): string | undefined {
	return isKey(key) ? say(key, params) : undefined;
}

function isKey(key: string): key is Key {
	return Object.hasOwn(auditDetailWords.en, key);
}
