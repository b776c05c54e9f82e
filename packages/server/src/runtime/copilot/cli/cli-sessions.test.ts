import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLogger } from "../../../core/kernel/logger.ts";
import type { OpenSession } from "../../../core/ports/agent-runtime.ts";
import { type CliSessions, createCliSessions } from "./cli-sessions.ts";
import { copyBeside, MAX_COPIED_FILE_BYTES } from "./copy-folder.ts";
import { CLI_PAGE, cliSessionsFolder } from "./list-cli-sessions.ts";
import { MAX_TAKEN_HISTORY_BYTES, scalarOf } from "./look-at-session.ts";
import { MAX_SAID_MESSAGES, readSaidBefore } from "./said-before.ts";

let folder: string;
let ours: string;
let theirs: string;
let cli: CliSessions;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-cli-"));
	ours = join(folder, "ours");
	theirs = join(folder, "copilot", "session-state");
	for (const each of [ours, theirs]) mkdirSync(each, { recursive: true });
	cli = createCliSessions({ sessions: ours, env: { COPILOT_HOME: join(folder, "copilot") }, logger: silentLogger });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (type: string, data: object, more: object = {}) =>
	`${JSON.stringify({ type, data, timestamp: "2026-01-02T03:04:05.000Z", ...more })}\n`;
const start = (id: string) => line("session.start", { sessionId: id, context: { cwd: "/work/shop" } });
const prompt = (text: string) => line("user.message", { content: text, messageId: `mark of ${text}` });
const answer = (text: string) => line("assistant.message", { content: text, messageId: "m" });
/** No process of this machine has such an id. */
const DEAD = 2 ** 31 - 2;

function put(sessions: string, id: string, history: string, files: Record<string, string> = {}): string {
	const at = join(sessions, id);
	mkdirSync(at, { recursive: true });
	writeFileSync(join(at, "events.jsonl"), history);
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(join(at, name, ".."), { recursive: true });
		writeFileSync(join(at, name), content);
	}
	return at;
}
const read = (sessions: string, id: string, name = "events.jsonl") => readFileSync(join(sessions, id, name), "utf8");
const list = async () => (await cli.listSessions({ cwd: folder })).sessions;

test("[CS1] the sessions of the Copilot CLI are listed with title, folder and time, the last used first, in pages, and whether a living process has one", async () => {
	const old = put(theirs, "old", start("old"), { "workspace.yaml": "id: old\ncwd: /work/yard\nname: 'It''s old'\n" });
	utimesSync(join(old, "events.jsonl"), 1_000, 1_000);
	put(theirs, "held", start("held"), { [`inuse.${process.pid}.lock`]: String(process.pid), "workspace.yaml": "name: null\n" });
	put(theirs, "killed", start("killed"), { [`inuse.${DEAD}.hold`]: "" });
	mkdirSync(join(theirs, "silent"));
	const listed = await list();
	expect(listed.at(-1)).toEqual({ sessionId: "old", title: "It's old", cwd: "/work/yard", updatedAt: "1970-01-01T00:16:40.000Z" });
	expect(Object.fromEntries(listed.map(({ sessionId, isHeld, cwd }) => [sessionId, [isHeld, cwd]]))).toEqual({
		old: [undefined, "/work/yard"],
		held: [true, "/work/shop"],
		killed: [undefined, "/work/shop"],
	});
	for (let at = 0; at < CLI_PAGE; at += 1) put(theirs, `more-${at}`, start(`more-${at}`));
	const first = await cli.listSessions({ cwd: folder });
	const second = await cli.listSessions({ cwd: folder, cursor: first.nextCursor });
	expect([first.sessions.length, second.sessions.length, second.nextCursor]).toEqual([CLI_PAGE, 3, undefined]);
	expect(scalarOf('name: "a: \\"b\\""', "name")).toBe('a: "b"');
	expect(scalarOf("name: |-\n  one\n  two\ncwd: /x", "name")).toBe("one two");
	expect(cliSessionsFolder({ HOME: "/home/me" })).toBe("/home/me/.copilot/session-state");
	const own = createCliSessions({ sessions: theirs, env: { COPILOT_HOME: join(folder, "copilot") }, logger: silentLogger });
	expect(await own.listSessions({ cwd: folder })).toEqual({ sessions: [] });
});

test("[CS2] one that is damaged, too large, a link or leads out of its folder says so, and nothing is followed", async () => {
	put(theirs, "damaged", "not a history\n");
	put(theirs, "another", start("somebody"));
	truncateSync(join(put(theirs, "large", start("large")), "events.jsonl"), MAX_TAKEN_HISTORY_BYTES + 1);
	symlinkSync(put(folder, "elsewhere", start("elsewhere")), join(theirs, "elsewhere"));
	mkdirSync(join(theirs, "linked"));
	symlinkSync(join(folder, "elsewhere", "events.jsonl"), join(theirs, "linked", "events.jsonl"));
	expect(Object.fromEntries((await list()).map(({ sessionId, problem }) => [sessionId, problem]))).toEqual({
		...{ damaged: "damaged", another: "damaged", large: "too-large", elsewhere: "foreign", linked: "foreign" },
	});
	await expect(cli.takeSession("linked")).rejects.toMatchObject({ code: "session-failed", params: { reason: "not-copied" } });
	await expect(cli.takeSession("../ours")).rejects.toMatchObject({ code: "session-failed" });
	expect(readdirSync(ours)).toEqual([]);
});

test("[CS3] a session is copied as far as it is written, without locks and links, and the CLI's own is not touched; what was said is told", async () => {
	const history =
		start("s") +
		prompt("one") +
		answer("first") +
		line("assistant.message", { content: "of a sub-agent", parentToolCallId: "t" }) +
		line("assistant.message", { content: "hidden" }, { agentId: "a" }) +
		line("user.message", { content: "go on", source: "system" }) +
		answer("second") +
		prompt("two");
	const at = put(theirs, "s", `${history}{"type":"half`, {
		"files/notes.md": "n",
		[`inuse.${process.pid}.lock`]: "",
		"workspace.yaml": "id: s\n",
	});
	symlinkSync("/etc/passwd", join(at, "files", "leak"));
	const before = readdirSync(at, { recursive: true }).sort();
	put(ours, "s", "a leftover");
	expect(await cli.takeSession("s")).toEqual({
		messages: [
			{ role: "user", text: "one", at: Date.parse("2026-01-02T03:04:05.000Z"), mark: "mark of one" },
			{ role: "assistant", text: "first\n\nsecond", at: expect.any(Number) },
			{ role: "user", text: "two", at: expect.any(Number), mark: "mark of two" },
		],
		isCut: false,
	});
	expect(read(ours, "s")).toBe(history);
	expect(readdirSync(join(ours, "s"), { recursive: true }).sort()).toEqual([
		"events.jsonl",
		"files",
		join("files", "notes.md"),
		"workspace.yaml",
	]);
	expect([readdirSync(at, { recursive: true }).sort(), read(theirs, "s")]).toEqual([before, `${history}{"type":"half`]);
	expect(readdirSync(ours)).toEqual(["s"]);
});

test("[CS4] of a long session the newest messages are told, and files beyond the bound are not copied", async () => {
	put(ours, "long", start("long") + Array.from({ length: MAX_SAID_MESSAGES + 5 }, (_, at) => prompt(`p${at}`)).join(""));
	const { messages, isCut } = await readSaidBefore(ours, "long");
	expect([messages.length, messages[0]?.text, isCut]).toEqual([MAX_SAID_MESSAGES, "p5", true]);
	truncateSync(join(put(theirs, "files", start("files"), { "files/huge": "" }), "files", "huge"), MAX_COPIED_FILE_BYTES + 1);
	await expect(copyBeside(join(theirs, "files"), join(ours, "files"), "files")).rejects.toMatchObject({
		params: { because: "its folder is too large." },
	});
});

test("[CS5] a session is handed over under its id; what the CLI lacks is added, what it has of its own or has open is left alone and a copy made", async () => {
	const over = (sessionId: string) => cli.handOver({ sessionId, newSessionId: "copy", cwd: "/it's" });
	put(ours, "s", start("s") + prompt("one"), { "workspace.yaml": "id: s\n" });
	expect(await over("s")).toEqual({ sessionId: "s", isCopy: false, command: "cd '/it'\\''s' && copilot --resume=s" });
	expect(read(theirs, "s")).toBe(start("s") + prompt("one"));
	writeFileSync(join(ours, "s", "events.jsonl"), start("s") + prompt("one") + answer("two"));
	expect(await over("s")).toMatchObject({ sessionId: "s" });
	expect(read(theirs, "s")).toBe(read(ours, "s"));

	writeFileSync(join(theirs, "s", "events.jsonl"), read(ours, "s") + prompt("there"));
	expect(await over("s")).toMatchObject({ sessionId: "s", isCopy: false });
	expect(read(theirs, "s")).toContain("there");

	writeFileSync(join(ours, "s", "events.jsonl"), start("s") + prompt("one") + answer("two") + prompt("here"));
	const apart = read(theirs, "s");
	expect(await over("s")).toMatchObject({ sessionId: "copy", isCopy: true });
	expect([read(theirs, "s"), read(theirs, "copy", "workspace.yaml")]).toEqual([apart, "id: copy\n"]);
	expect(JSON.parse(read(theirs, "copy").split("\n")[0] ?? "")).toMatchObject({ data: { sessionId: "copy" } });

	rmSync(join(theirs, "copy"), { recursive: true });
	put(ours, "h", start("h") + prompt("more"));
	put(theirs, "h", start("h"), { [`inuse.${process.pid}.lock`]: "" });
	expect(await over("h")).toMatchObject({ sessionId: "copy", isCopy: true });
	expect(read(theirs, "h")).toBe(start("h"));
	await expect(over("nobody")).rejects.toMatchObject({ code: "session-failed" });
	expect(readdirSync(theirs).sort()).toEqual(["copy", "h", "s"]);
});

test("[CS6] what the CLI added to a session is there when it is opened again, unless the CLI has it open or both went on", async () => {
	const told: string[] = [];
	const closed: string[] = [];
	const options = { sessionId: "conversation", previous: "s", onContinued: () => void told.push("told") };
	const follow = async (id: string) =>
		(await cli.follow({ ...base, ...options, previous: id }, async (each) => void closed.push(each))).sessionId;
	put(ours, "s", start("s"));
	put(theirs, "s", start("s") + prompt("there"));
	expect([await follow("s"), read(ours, "s"), told, closed]).toEqual(["s", start("s") + prompt("there"), ["told"], ["s"]]);
	put(theirs, "s", start("s") + prompt("there") + prompt("again"), { [`inuse.${process.pid}.lock`]: "" });
	put(ours, "both", start("both") + prompt("here"));
	put(theirs, "both", start("both") + prompt("there") + prompt("more"));
	expect([await follow("s"), await follow("both"), told]).toEqual(["s", "both", ["told"]]);
	expect(read(ours, "both")).toContain("here");
	expect(existsSync(join(ours, "nobody"))).toBe(false);
	expect(await follow("nobody")).toBe("nobody");
});

const base: OpenSession = {
	...{ sessionId: "", previous: null, model: "", cwd: "/", tools: [], settings: () => ({ mode: "agent", effort: "" }) },
	...{ onModeLeft: () => undefined, mayGoOn: () => true, askPlan: async () => ({ approved: true }), onLateUsage: () => undefined },
	ask: async () => ({ answer: "", wasFreeform: true }),
	permit: async () => ({ kind: "approve-once" }),
	onTodos: () => undefined,
	form: async () => ({ action: "cancel" }),
	mayGoOn: () => true,
	askPlan: async () => ({ approved: true }),
};
