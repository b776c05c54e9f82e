import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../core/kernel/clock.ts";
import { conversationId } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { KEEP_ENDED_MS, MAX_ENDED, MAX_ENDED_PER_CONVERSATION } from "./job-entry.ts";
import { createJobRegistry, type JobRegistry, MAX_RUNNING, MAX_RUNNING_PER_CONVERSATION } from "./job-registry.ts";

const here = conversationId("here");
const there = conversationId("there");
let home: string;
let now = 1_000_000;
let dropped: string[] = [];
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-jobs-"));
	dropped = [];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () =>
	createJobRegistry({
		home,
		clock: { ...systemClock, now: () => now, elapsed: () => now },
		logger: silentLogger,
		drop: (key) => dropped.push(key),
	});
const textsOf = (registry: JobRegistry) => registry.notes(here).map((note) => note.text);
/** What a prompt does: reads the notes, and marks them as told once it is stored. */
function tell(registry: JobRegistry): string[] {
	const texts = textsOf(registry);
	registry.dropNotes(
		here,
		registry.notes(here).map((note) => note.bashId),
	);
	return texts;
}
const exited = { status: "exited", exitCode: 0 } as const;

test("[SH23] ids count up per conversation and are never used again, also after a restart", () => {
	const registry = open();
	const ids = [here, here, there].map((conversation, key) => registry.add(conversation, { key: String(key), command: "x" }).job.bashId);
	expect(ids).toEqual(["bash_1", "bash_2", "bash_1"]);
	expect(open().add(here, { key: "9", command: "x" }).job.bashId).toBe("bash_3");
});

test("[SH222] unknown, expired, lost and another conversation's ids are told apart, with the ids that run", () => {
	const registry = open();
	const job = registry.add(here, { key: "1", command: "a" });
	registry.end(job, exited);
	registry.add(here, { key: "2", command: "b" });
	for (const key of ["3", "4", "5"]) registry.add(there, { key, command: "c" });
	expect(registry.find(here, "bash_1").kind).toBe("found");
	now += KEEP_ENDED_MS + 1;
	expect(registry.find(here, "bash_1")).toEqual({ kind: "expired", running: ["bash_2"] });
	expect(dropped).toEqual(["1"]);
	expect(registry.find(here, "bash_3")).toEqual({ kind: "elsewhere", running: ["bash_2"] });
	expect(registry.find(here, "bash_99").kind).toBe("unknown");
	expect(registry.find(here, "nonsense").kind).toBe("unknown");
	const next = open();
	expect(next.find(here, "bash_2")).toEqual({ kind: "lost", running: [] });
	expect(next.list(here).map(({ bashId, status }) => [bashId, status])).toEqual([["bash_2", "lost"]]);
	expect(textsOf(next)).toEqual([
		"Background job bash_1 (`a`) has exited with code 0.",
		"Background job bash_2 (`b`) was lost because the server was restarted.",
	]);
	expect(open().find(here, "bash_2").kind).toBe("lost");
});

test("[SH24] the number of running jobs is bounded per conversation and per server; ended ones do not count", () => {
	const registry = open();
	const jobs = Array.from({ length: MAX_RUNNING_PER_CONVERSATION }, (_, i) => registry.add(here, { key: `${i}`, command: `sleep ${i}` }));
	expect(registry.refusal(here)).toContain("KillBash on bash_1 (the oldest: `sleep 0`)");
	expect(registry.refusal(there)).toBeUndefined();
	const [first] = jobs;
	if (first !== undefined) registry.end(first, exited);
	expect(registry.refusal(here)).toBeUndefined();
	for (let i = 0; i < MAX_RUNNING; i++) registry.add(conversationId(`c${i % 8}`), { key: `s${i}`, command: "x" });
	expect(registry.refusal(there)).toContain(`${MAX_RUNNING} background jobs already run on this server`);
});

test("[SH24] ended jobs that are kept are bounded, the newest stay", () => {
	const registry = open();
	for (let i = 0; i < MAX_ENDED_PER_CONVERSATION + 5; i++) {
		now++;
		registry.end(registry.add(here, { key: `${i}`, command: "x" }), { ...exited, silent: true });
	}
	expect(registry.list(here)).toHaveLength(MAX_ENDED_PER_CONVERSATION);
	expect(registry.list(here)[0]?.bashId).toBe(`bash_${MAX_ENDED_PER_CONVERSATION + 5}`);
	for (let i = 0; i < 5 * MAX_ENDED_PER_CONVERSATION; i++)
		registry.end(registry.add(conversationId(`c${i % 5}`), { key: "k", command: "x" }), exited);
	expect(registry.list()).toHaveLength(MAX_ENDED);
});

test("[SH26] the end of a job is told once, not at all to whoever knows, and survives a restart", () => {
	const registry = open();
	const end = (command: string, silent: boolean) =>
		registry.end(registry.add(here, { key: "1", command }), { status: "exited", exitCode: 3, silent });
	end("make", false);
	end("known", true);
	end("read", false);
	registry.dropNotes(here, ["bash_3"]);
	expect(tell(open())).toEqual(["Background job bash_1 (`make`) has exited with code 3."]);
	expect(tell(open())).toEqual([]);
	for (let i = 0; i < 80; i++) end("x", false);
	expect(tell(registry)).toHaveLength(50);
});

test("[SH221] a job ends once: the first end counts", () => {
	const registry = open();
	const seen: string[] = [];
	registry.onJob((job) => seen.push(job.status));
	const job = registry.add(here, { key: "1", command: "x" });
	registry.end(job, { status: "exited", exitCode: 7 });
	registry.end(job, { status: "killed", exitCode: null });
	expect([job.job.status, job.job.exitCode, seen]).toEqual(["exited", 7, ["running", "exited"]]);
});

test("[SH27] a port is news, a new tail is not; listeners can leave", () => {
	const registry = open();
	const seen: unknown[] = [];
	const job = registry.add(here, { key: "1", command: "x" });
	const stop = registry.onJob(({ ports }) => seen.push(ports));
	registry.update(job, { ports: [], tail: "a" });
	registry.update(job, { ports: [8080], tail: "b" });
	registry.update(job, { ports: [8080], tail: "c" });
	stop();
	registry.update(job, { ports: [] });
	expect(seen).toEqual([[8080]]);
	expect(job.job.tail).toBe("c");
});

test("[SH48] what is kept is private", () => {
	const registry = open();
	registry.setCwd(here, "/usr");
	registry.add(conversationId("../../escape"), { key: "1", command: "x" });
	const root = join(home, "shell", "conversations");
	expect(readdirSync(root)).toHaveLength(2);
	expect(statSync(join(root, "here")).mode & 0o777).toBe(0o700);
	expect(statSync(join(root, "here", "conversation.json")).mode & 0o777).toBe(0o600);
	expect(open().cwd(here)).toBe("/usr");
});

test("[CV144] notes that cannot be read are not taken for none: nothing is run on a guess, nothing is written over them, and they count again", () => {
	const registry = open();
	registry.setCwd(here, "/usr");
	registry.end(registry.add(here, { key: "1", command: "x" }), exited);
	const path = join(home, "shell", "conversations", here, "conversation.json");
	const kept = readFileSync(path);
	rmSync(path);
	mkdirSync(path);
	const next = open();
	expect(next.unreadable(here)).toContain("Check the disk");
	expect(next.refusal(here)).toContain("Check the disk");
	next.setCwd(here, "/tmp");
	rmSync(path, { recursive: true });
	writeFileSync(path, kept);
	expect(next.unreadable(here)).toBeUndefined();
	expect([next.cwd(here), next.add(here, { key: "2", command: "y" }).job.bashId]).toEqual(["/usr", "bash_2"]);
});
