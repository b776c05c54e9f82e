import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "@rightseat/protocol/model/message";
import { afterEach, expect, test } from "vitest";
import { english } from "../../packages/server/src/channels/telegram/messages/english.ts";
import { traditionalChinese } from "../../packages/server/src/channels/telegram/messages/traditional-chinese.ts";
import { auditFindings } from "../faults/audit-examiner.ts";
import { answersTo } from "../faults/chats.ts";
import { type InboxFacts, inboxFindings } from "../faults/inbox-examiner.ts";
import { BUDGETS, type ProcessFacts, processFacts, processFindings } from "../faults/process-examiner.ts";

const createdAt = "2026-01-01T00:00:00.000Z";
const prompt = (id: string, delivery?: "queued"): Message => ({
	...{ id, createdAt, content: id, role: "user" },
	metadata: { origin: "web", ...(delivery === undefined ? {} : { delivery }) },
});
const answer = (id: string, outcome: "completed" | "error" | "interrupted" | "aborted"): Message => ({
	...{ id, createdAt, content: id, role: "assistant" },
	metadata: { outcome, tools: [], parts: [] },
});
const item = (id: string, conversationId = "c"): InboxFacts["items"][number] => ({
	id,
	conversationId,
	kind: id.startsWith("queue-resting") ? "queue-resting" : inboxKind(id),
});
const inboxKind = (id: string) =>
	(["finished", "failed", "interrupted", "permission", "form"] as const).find((kind) => id.startsWith(kind)) ?? "question";
const facts = (change: Partial<InboxFacts>): InboxFacts => ({
	...{ items: [item("finished-a2")], conversationId: "c", conversations: ["c", "d"], mayBeSeen: false, told: [1, undefined] },
	messages: [prompt("u1"), answer("a1", "error"), prompt("u2"), answer("a2", "completed")],
	...change,
});

test("[FT15] an inbox that has what waits for a person, and nothing else, has no finding", () => {
	expect(inboxFindings(facts({}))).toEqual([]);
	expect(inboxFindings(facts({ items: [], told: [0], mayBeSeen: true }))).toEqual([]);
	expect(inboxFindings(facts({ items: [], told: [0], messages: [prompt("u1"), answer("a1", "aborted")] }))).toEqual([]);
	expect(inboxFindings(facts({ items: [item("interrupted-a1")], messages: [prompt("u1"), answer("a1", "interrupted")] }))).toEqual([]);
	const resting = [item("failed-a1"), item("queue-resting-u2")];
	expect(
		inboxFindings(facts({ items: resting, told: [2], messages: [prompt("u1"), answer("a1", "error"), prompt("u2", "queued")] })),
	).toEqual([]);
});

test.each<[string, Partial<InboxFacts>]>([
	["an end that is missing", { items: [], told: [0] }],
	["an end of an older turn", { items: [item("failed-a1")] }],
	["a failure that was none", { items: [item("failed-a2")] }],
	["the end of a turn that a person stopped", { messages: [prompt("u2"), answer("a2", "aborted")] }],
	["two ends of one conversation", { items: [item("finished-a2"), item("failed-a1")], told: [2] }],
	["two ends of another conversation", { items: [item("finished-a2"), item("failed-x", "d"), item("finished-y", "d")], told: [3] }],
	["a permission that nobody asks for", { items: [item("permission-p"), item("finished-a2")], told: [2] }],
	["a form of another conversation that nobody asks for", { items: [item("form-f", "d"), item("finished-a2")], told: [2] }],
	["an item of a conversation that is gone", { items: [item("finished-a2"), item("finished-z", "gone")], told: [2] }],
	["a queue that rests unsaid", { messages: [...facts({}).messages, prompt("u3", "queued")] }],
	["a resting queue that is empty", { items: [item("finished-a2"), item("queue-resting-u3")], told: [2] }],
	["a page that was told another number", { told: [1, 2] }],
])("[FT15] the examiner of the inbox finds %s", (_, change) => {
	expect(inboxFindings(facts(change))).toHaveLength(1);
});

test("[FT16] a command that ran or was acknowledged is in the audit log once, and the examiner finds one that is missing or doubled", () => {
	const sent = { id: "command-1", isAcked: true, mayBeLost: false };
	const [logged, ran] = ["echo command-1 >> ran.log; seq 1 2000", new Map([["command-1", 1]])];
	const once = { commands: [logged, "echo command-10 >> ran.log"], sent: [sent], ran };
	expect(auditFindings(once)).toEqual([]);
	expect(auditFindings({ ...once, commands: [] })).toEqual(["The audit log does not have the command command-1, which ran."]);
	expect(auditFindings({ ...once, commands: [], ran: new Map() })).toEqual([
		"The audit log does not have the command command-1, which was acknowledged.",
	]);
	expect(auditFindings({ ...once, commands: [logged, logged] })).toEqual(["The audit log has the command command-1 2 times."]);
	const unsent = { ...sent, isAcked: false };
	expect(auditFindings({ commands: [], sent: [unsent], ran: new Map() })).toEqual([]);
	expect(auditFindings({ commands: [], sent: [unsent], ran })).toHaveLength(1);
	expect(auditFindings({ commands: [], sent: [{ ...sent, mayBeLost: true }], ran })).toEqual([]);
});

const peace: ProcessFacts = {
	kinds: { server: [BUDGETS.server], runtime: [BUDGETS.runtime], shell: [BUDGETS.shell], recorder: [], agent: [] },
	strays: [],
};

test("[FT17] what is within its budget has no finding, and each kind that is too large, too open or too many is found", () => {
	expect(processFindings(peace)).toEqual([]);
	for (const kind of ["server", "runtime", "shell", "recorder", "agent"] as const) {
		const { count, ...cost } = BUDGETS[kind];
		const found = (costs: ProcessFacts["kinds"]["server"]) => processFindings({ ...peace, kinds: { ...peace.kinds, [kind]: costs } });
		expect(found([{ ...cost, megabytes: cost.megabytes + 1 }])).toEqual([`The ${kind} holds ${cost.megabytes + 1} MB.`]);
		expect(found([{ ...cost, descriptors: cost.descriptors + 1 }])).toEqual([`The ${kind} has ${cost.descriptors + 1} descriptors open.`]);
		expect(found(Array.from({ length: count + 1 }, () => cost))).toEqual([`There are ${count + 1} processes of the kind ${kind}.`]);
	}
});

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test("[FT17] a process that works in the server's folders and has lost its parents is found, and one that has some is not", async () => {
	const workdir = mkdtempSync(join(tmpdir(), "rightseat-strays-"));
	folders.push(workdir);
	const server = { pid: process.pid, home: join(workdir, "home"), workdir };
	const child = spawn("sh", ["-c", "sleep 1000 & echo $!; wait"], { cwd: workdir, stdio: ["ignore", "pipe", "ignore"] });
	children.push(child);
	const [said] = await once(child.stdout, "data");
	const pid = Number(String(said));
	expect(processFacts({ server }).strays).toEqual([]);
	child.kill("SIGKILL");
	await once(child, "exit");
	try {
		await expect.poll(() => processFacts({ server }).strays.map((stray) => [stray.pid, stray.args])).toEqual([[pid, "sleep 1000"]]);
		expect(processFindings(processFacts({ server }))).toContain(`The process ${pid} outlived its server: sleep 1000`);
	} finally {
		process.kill(pid, "SIGKILL");
	}
});

test("[FT19] an answer that stands in a chat twice is counted twice, a status message with its words is not counted", () => {
	const answer = { text: "12-1w0 12-1w1 answer to chat-7" };
	const status = { text: `${english.working("3 s")}\n\n${answer.text}` };
	expect(answersTo("chat-7", [answer, status, { text: "answer to chat-8" }])).toBe(1);
	expect(answersTo("chat-7", [answer, status, answer])).toBe(2);
	expect(traditionalChinese.working("3 s").slice(0, 2)).toBe(english.working("3 s").slice(0, 2));
});
