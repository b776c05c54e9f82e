import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCommandClient } from "@rightseat/shell/client/command-client";
import type { CommandEnd, FromShelld, ToShelld } from "@rightseat/shell/daemon/shelld-protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { conversationId } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { createJobRegistry } from "../jobs/job-registry.ts";
import { createJobs, KILL_WAIT_MS } from "../jobs/jobs.ts";
import { createConversationWriter, MAX_UNWRITTEN, WRITE_AGAIN_MS } from "./conversation-writer.ts";
import { runForeground } from "./foreground.ts";
import { createShelldClient, REQUEST_LIMIT_MS, type ShelldClient } from "./shelld-client.ts";

const here = conversationId("here");
let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-ends-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const blocker = (id: string) => join(home, "shell/conversations", id, "conversation.json.new");
/** A disk that refuses every write of a conversation's file, until it is told otherwise. */
function refuseWrites(id = "here"): () => void {
	mkdirSync(blocker(id), { recursive: true });
	return () => rmSync(blocker(id), { recursive: true });
}

const END: CommandEnd = {
	cause: "exited",
	exitCode: 0,
	signal: null,
	durationMs: 1,
	output: "done\n",
	truncated: false,
	cwd: "/usr",
	leftovers: [],
	notices: [],
};

function createBed() {
	const clock = createFakeClock();
	const sent: ToShelld[] = [];
	const commands = createCommandClient((message) => {
		sent.push(message);
		return true;
	});
	const open = () => createJobRegistry({ home, clock, logger: silentLogger, drop: () => undefined });
	const registry = open();
	const silent: ShelldClient = { send: () => true, request: () => new Promise(() => undefined), close: async () => undefined };
	const jobs = createJobs({ registry, commands, client: silent, clock });
	const run = () =>
		runForeground(
			{ commands, registry },
			{
				conversation: here,
				command: "x",
				cwd: "/",
				fallbackCwd: "/",
				timeoutMs: null,
				onTimeout: "kill",
				want: "head",
				limit: 100,
				onLive: () => undefined,
			},
		);
	const receive = (message: FromShelld) => commands.receive(message);
	return { clock, sent, commands, registry, open, jobs, run, receive };
}

test("[SH100] a command's end is told although the disk refuses to write it down", async () => {
	const { registry, open, run, receive } = createBed();
	refuseWrites();
	const running = run();
	receive({ kind: "end", key: "1", end: { ...END, leftovers: [{ pid: 7, command: "sleep" }] } });
	expect(await running.done).toMatchObject({ kind: "ended", job: { job: { bashId: "bash_1" } } });
	expect([registry.cwd(here), open().cwd(here)]).toEqual(["/usr", undefined]);
});

test("[SH223] a command's end that the disk refused is written when the disk takes it", async () => {
	const { clock, open, run, receive } = createBed();
	const repair = refuseWrites();
	const running = run();
	receive({ kind: "end", key: "1", end: { ...END, leftovers: [{ pid: 7, command: "sleep" }] } });
	await running.done;
	await clock.advance(WRITE_AGAIN_MS * 3);
	repair();
	await clock.advance(WRITE_AGAIN_MS);
	const next = open();
	expect(next.cwd(here)).toBe("/usr");
	expect(next.list(here)).toMatchObject([{ bashId: "bash_1", status: "lost" }]);
});

test("[SH100] a job's end is told to everyone although the disk refuses and a listener fails", async () => {
	const { registry, jobs, run, receive } = createBed();
	refuseWrites();
	const seen: string[] = [];
	registry.onJob(() => {
		throw new Error("a listener that fails");
	});
	registry.onJob((job) => seen.push(job.status));
	void run();
	receive({ kind: "end", key: "1", end: { ...END, leftovers: [{ pid: 7, command: "sleep" }] } });
	const killed = jobs.kill({ conversation: here, bashId: "bash_1", byAgent: false });
	receive({ kind: "gone", key: "1", cause: "killed" });
	expect(await killed).toMatchObject({ ok: true });
	expect(seen).toEqual(["running", "killed"]);
	expect(registry.notes(here)).toHaveLength(1);
	registry.dropNotes(here, ["bash_1"]);
	expect(registry.notes(here)).toEqual([]);
});

test("[SH223] what waits for the disk is bounded, newest kept, and tried a last time when the server ends", () => {
	const clock = createFakeClock();
	const writer = createConversationWriter({ home, clock, logger: silentLogger });
	const ids = Array.from({ length: MAX_UNWRITTEN + 1 }, (_, i) => conversationId(`c${i}`));
	const repairs = ids.map((id) => refuseWrites(id));
	for (const id of ids) writer.save(id, { nextJob: 5, running: [], lost: [], notes: [] });
	expect(ids.filter((id) => writer.waits(id))).toEqual(ids.slice(1));
	for (const repair of repairs) repair();
	writer.freeze();
	expect(ids.some((id) => writer.waits(id))).toBe(false);
	expect(clock.pending()).toBe(0);
	expect(createJobRegistry({ home, clock, logger: silentLogger, drop: () => undefined }).find(conversationId("c9"), "bash_4").kind).toBe(
		"expired",
	);
});

test("[SH101] KillBash answers in time when nobody says that the job has ended, and says which processes could not be ended", async () => {
	const { clock, jobs, run, receive, registry } = createBed();
	void run();
	receive({ kind: "end", key: "1", end: { ...END, leftovers: [{ pid: 7, command: "sleep" }] } });
	const first = jobs.kill({ conversation: here, bashId: "bash_1", byAgent: true });
	await clock.advance(KILL_WAIT_MS);
	expect(await first).toEqual({ ok: false, message: expect.stringContaining("was told to end but still runs") });
	const second = jobs.kill({ conversation: here, bashId: "bash_1", byAgent: true });
	receive({ kind: "gone", key: "1", cause: "killed", survivors: [7, 8] });
	expect(await second).toEqual({ ok: false, message: expect.stringContaining("could not be ended: 7, 8.") });
	expect(registry.list(here)).toMatchObject([{ status: "killed" }]);
});

test("[SH101] a shell process that does not answer keeps nobody waiting for ever", async () => {
	const clock = createFakeClock();
	const client = createShelldClient({
		home,
		env: {},
		secrets: [],
		logger: silentLogger,
		clock,
		shelldPath: join(home, "no-such-shelld.js"),
		onMessage: () => undefined,
		onLost: () => undefined,
	});
	const answer = client.request((request) => ({ kind: "forget", request, conversation: "c" }));
	await clock.advance(REQUEST_LIMIT_MS);
	expect(await answer).toEqual({ ok: false, text: expect.stringContaining("not answered in time") });
	await client.close();
});
