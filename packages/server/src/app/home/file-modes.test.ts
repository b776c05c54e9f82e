import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ConversationChange } from "../../core/active/conversation-changes.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { createFileModes } from "./file-modes.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-modes-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(join(home, path)).mode & 0o777;

/** A conversation whose turn has just ended. */
const ended = (sdkSessionId: string): ConversationChange => ({
	kind: "updated",
	conversation: {
		...{
			id: "c",
			title: "",
			agent: "copilot",
			model: "m",
			mode: "agent",
			effort: "",
			cwd: "/",
			sdkSessionId,
			pinned: false,
			archived: false,
			permissions: "auto",
		},
		...{ status: "completed", asking: false, epoch: "e", headSeq: 1, createdAt: "", updatedAt: "" },
	},
});

function open(path: string, mode: number): void {
	const whole = join(home, path);
	if (mode === 0o755) mkdirSync(whole, { recursive: true });
	else writeFileSync(whole, "");
	chmodSync(whole, mode);
}

function createModes() {
	const listeners = new Set<(change: ConversationChange) => void>();
	const onChange = (listener: (change: ConversationChange) => void) => {
		listeners.add(listener);
		return () => void listeners.delete(listener);
	};
	const modes = createFileModes({ home, conversations: { onChange }, logger: silentLogger });
	return {
		modes,
		tell: (change: ConversationChange) => {
			for (const listener of listeners) listener(change);
		},
	};
}

test("[CF260] what lies deeper in the home directory is made private after the start, which does not wait for it", async () => {
	for (const folder of ["agent", "agent/session-state", "agent/session-state/s1"]) open(folder, 0o755);
	for (let index = 0; index < 300; index += 1) open(`agent/session-state/s1/${index}.json`, 0o644);
	const { modes } = createModes();
	await modes.start?.();
	expect(modeOf("agent/session-state/s1/299.json")).toBe(0o644);
	await expect.poll(() => modeOf("agent/session-state/s1/299.json")).toBe(0o600);
	await expect.poll(() => modeOf("agent/session-state/s1/0.json")).toBe(0o600);
	expect([modeOf("agent"), modeOf("agent/session-state"), modeOf("agent/session-state/s1")]).toEqual([0o700, 0o700, 0o700]);
	await modes.close();
});

test("[CF400] files of work trees keep their bits; the folder of all work trees is private", async () => {
	for (const folder of ["worktrees", "worktrees/app-rs-1", "worktrees/.trash", "worktrees/.trash/1-app"]) open(folder, 0o755);
	const scripts = ["worktrees/app-rs-1/run.sh", "worktrees/.trash/1-app/run.sh"];
	for (const script of scripts) {
		open(script, 0o644);
		chmodSync(join(home, script), 0o775);
	}
	// In whatever order a folder is read, some of so many come after it.
	const others = Array.from({ length: 40 }, (_, index) => `own-${index}`);
	for (const other of others) open(other, 0o644);
	const { modes } = createModes();
	await modes.start?.();
	await expect.poll(() => [modeOf("worktrees"), ...others.map(modeOf)]).toEqual([0o700, ...others.map(() => 0o600)]);
	await modes.close();
	expect([...scripts, "worktrees/app-rs-1"].map(modeOf)).toEqual([0o775, 0o775, 0o755]);
});

test("[CF261] a link in the home directory leads nowhere: what it names keeps its rights", async () => {
	const outside = mkdtempSync(join(tmpdir(), "rightseat-outside-"));
	writeFileSync(join(outside, "file"), "");
	chmodSync(outside, 0o755);
	chmodSync(join(outside, "file"), 0o644);
	symlinkSync(outside, join(home, "folder"));
	symlinkSync(join(outside, "file"), join(home, "link"));
	open("own", 0o644);
	const { modes } = createModes();
	await modes.start?.();
	await expect.poll(() => modeOf("own")).toBe(0o600);
	await modes.close();
	expect([statSync(outside).mode & 0o777, statSync(join(outside, "file")).mode & 0o777]).toEqual([0o755, 0o644]);
	rmSync(outside, { recursive: true });
});

test("[CF239] what the agent runtime keeps of a conversation is private after its turn, and a session that is gone is fine", async () => {
	const { modes, tell } = createModes();
	for (const folder of ["agent", "agent/session-state", "agent/session-state/s1"]) open(folder, 0o755);
	open("agent/session-state/s1/events.jsonl", 0o644);
	tell(ended("gone"));
	tell(ended("s1"));
	await expect.poll(() => modeOf("agent/session-state/s1/events.jsonl")).toBe(0o600);
	expect([modeOf("agent"), modeOf("agent/session-state"), modeOf("agent/session-state/s1")]).toEqual([0o700, 0o700, 0o700]);
	await modes.close();
	open("agent/session-state/s1/late.jsonl", 0o644);
	tell(ended("s1"));
	await modes.close();
	expect(modeOf("agent/session-state/s1/late.jsonl")).toBe(0o644);
});
