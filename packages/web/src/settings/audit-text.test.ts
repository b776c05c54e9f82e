import { expect, test } from "vitest";
import { auditText } from "./audit-text.ts";

const ID = "0b5f8d3c-6d1e-4a70-9c55-2f3b8a1d7e90";
const titles = new Map([[ID, "Parser"]]);

function said(kind: string, detail: string, language: "en" | "zh-Hant" = "en"): string {
	return auditText({ kind, detail, source: "127.0.0.1" }, { language, titleOf: (id) => titles.get(id) }).detail;
}

test("[PG475] a line of the audit log says in words what the server stored as names and ids", () => {
	expect(said("login", "code")).toBe("with a login link");
	expect(said("login-failed", "bearer")).toBe("with an access token in a request");
	expect(said("permission", `approve-once in ${ID}: ls -la`)).toBe("Allowed once: ls -la · in Parser");
	expect(said("permission", `reject in ${ID}`)).toBe("Rejected: … · in Parser");
	expect(said("permission-mode", `ask in ${ID}`)).toBe("Every action is asked about · in Parser");
	expect(said("permission-rule", "made: git status … in /shop")).toBe("Always allowed: git status … in /shop");
	expect(said("permission-rule", "taken back: ls in /shop")).toBe("No longer allowed: ls in /shop");
	expect(said("folder-trust", "trusted /shop")).toBe("Trusted: /shop");
	expect(said("folder-trust", "not trusted /shop")).toBe("Trust taken back: /shop");
	expect(said("rule-used", `ls -a in ${ID}, by ls … in /shop`)).toBe("ls -a · in Parser · ls … in /shop");
	expect(said("answer", `in ${ID}: the blue one`)).toBe("the blue one · in Parser");
	expect(said("conversation-deleted", `${ID} Parser`)).toBe("Parser");
	expect(said("terminal", `t-${ID}`)).toBe("in Parser");
	expect(said("settings", '{"permissions":"ask","notifyTurnEnd":false,"defaultModel":""}')).toBe(
		"Permissions for new conversations: ask · Notify when a turn ends: off · Model for new conversations: chosen by the server",
	);
	expect(said("settings", "passkey added: Phone")).toBe("Passkey added: Phone");
	expect(said("telegram", "removed Ann (7)")).toBe("Ann (7) was removed");
	expect(said("push", "subscribed at push.example")).toBe("Switched on at push.example");
	const agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1";
	expect(said("session-revoked", agent)).toBe("Safari, iPhone");
});

test("[PG475] the same in Traditional Chinese", () => {
	expect(said("login", "code", "zh-Hant")).toBe("使用登入連結");
	expect(said("permission", `approve-once in ${ID}: ls -la`, "zh-Hant")).toBe("允許一次：ls -la · 於「Parser」");
	expect(said("settings", "password set", "zh-Hant")).toBe("已設定密碼");
});

test("[PG476] a command in the audit log is shown as it ran, whatever it looks like, with nothing hidden", () => {
	for (const command of ["removed x", "password set", '{"permissions":"ask"}', `in ${ID}: x`])
		expect(said("command", command)).toBe(command);
	expect(said("command", "ls \u202egpj.exe")).toBe("ls \\u{202e}gpj.exe");
});

test("[PG477] what the page does not know stands there as it was stored; a conversation that is gone has no id", () => {
	expect(said("login", "a-new-way")).toBe("a-new-way");
	expect(said("settings", '{"theme":"dark"}')).toBe("theme: dark");
	expect(said("settings", '{"permissions":"a')).toBe('{"permissions":"a');
	expect(said("permission", "approve-once in another shape")).toBe("approve-once in another shape");
	expect(said("terminal", `t-${ID.replace("0b", "1b")}`)).toBe("in a conversation that is not in the list");
	expect(said("session-revoked", "3f1c9a0b7d2e4f6a8b0c1d2e")).toBe("");
});
