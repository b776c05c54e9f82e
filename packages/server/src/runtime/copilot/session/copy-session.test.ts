import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ForkSession } from "../../../core/ports/agent-runtime.ts";
import { copySession } from "./copy-session.ts";
import { MAX_LOOKED_LINE_BYTES } from "./history-lines.ts";

let sessions: string;
const line = (type: string, data: object, more: object = {}) => `${JSON.stringify({ type, data, id: `${type}-event`, ...more })}\n`;
const said = (messageId: string, more: object = {}, data: object = {}) =>
	line("user.message", { content: messageId, messageId, ...data }, more);
const LINES = [
	line("session.start", { sessionId: "source", version: 1 }),
	said("one"),
	line("assistant.message", { content: 'says "user.message" and "two"' }),
	said("two", { agentId: "sub" }),
	said("two", {}, { source: "skill-x" }),
	line("session.binary_asset", { data: "x".repeat(MAX_LOOKED_LINE_BYTES) }),
	said("two"),
	line("assistant.message", { content: "b" }),
	said("three"),
];
const half = '{"type":"assistant.mess';

beforeEach(() => {
	sessions = mkdtempSync(join(tmpdir(), "rightseat-sessions-"));
	mkdirSync(join(sessions, "source", "checkpoints"), { recursive: true });
	writeFileSync(join(sessions, "source", "events.jsonl"), LINES.join("") + half);
	writeFileSync(join(sessions, "source", "workspace.yaml"), "id: source\ncwd: /x\n");
	writeFileSync(join(sessions, "source", "checkpoints", "index.md"), "a summary");
	writeFileSync(join(sessions, "source", "inuse.7.lock"), "7");
});
afterEach(() => rmSync(sessions, { recursive: true }));

const copy = (cut: ForkSession["cut"], isBusy = false, sessionId = "source") =>
	copySession(sessions, { sessionId, newSessionId: "fork", cwd: "/x", cut, isBusy });
const copied = () => readFileSync(join(sessions, "fork", "events.jsonl"), "utf8");
const upTo = (count: number) => [line("session.start", { sessionId: "fork", version: 1 }), ...LINES.slice(1, count)].join("");

test("[FK22] a copy of a session ends before the prompt with the mark, has its own id, and leaves locks and the source alone", async () => {
	const before = readdirSync(join(sessions, "source"), { recursive: true }).map(String);
	expect(await copy({ at: "prompt", mark: "two", after: "one" })).toBe(true);
	expect(copied()).toBe(upTo(6));
	expect(readFileSync(join(sessions, "fork", "workspace.yaml"), "utf8")).toBe("id: fork\ncwd: /x\n");
	expect(readdirSync(join(sessions, "fork"), { recursive: true }).sort()).toEqual([
		"checkpoints",
		"checkpoints/index.md",
		"events.jsonl",
		"workspace.yaml",
	]);
	expect(readdirSync(join(sessions, "source"), { recursive: true })).toEqual(before);
	expect(readFileSync(join(sessions, "source", "events.jsonl"), "utf8")).toBe(LINES.join("") + half);
});

test("[FK22] a prompt without a mark is the first after the one before it; a history that is still written is whole up to its last line", async () => {
	expect(await copy({ at: "prompt", mark: null, after: "one" })).toBe(true);
	expect(copied()).toBe(upTo(6));
	rmSync(join(sessions, "fork"), { recursive: true });
	expect(await copy({ at: "prompt", mark: "four", after: "three" }, true)).toBe(true);
	expect(copied()).toBe(upTo(LINES.length));
	rmSync(join(sessions, "fork"), { recursive: true });
	expect(await copy({ at: "end" })).toBe(true);
	expect(copied()).toBe(upTo(LINES.length));
});

test("[FK22] what is not in the history is not guessed, and nothing is left of the attempt", async () => {
	expect(await copy({ at: "prompt", mark: "four", after: "three" })).toBe(false);
	expect(await copy({ at: "prompt", mark: "four", after: "nobody" }, true)).toBe(false);
	expect(await copy({ at: "end" }, false, "nobody")).toBe(false);
	writeFileSync(join(sessions, "source", "events.jsonl"), said("one"));
	expect(await copy({ at: "end" })).toBe(false);
	expect(readdirSync(sessions)).toEqual(["source"]);
});
