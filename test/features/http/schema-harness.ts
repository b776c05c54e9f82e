import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenSetup } from "../../../packages/server/src/core/ports/agent-setup.ts";
import { aChange, type ScriptedTracker } from "../../support/scripted-tracker.ts";

/** A repository without a commit, in which there is something to commit. */
export function makeRepository(folder: string) {
	for (const args of [
		["init", "-q"],
		["config", "user.name", "Ann"],
		["config", "user.email", "ann@example.org"],
	])
		execFileSync("git", ["-C", folder, ...args]);
	writeFileSync(join(folder, "a.txt"), "a");
	execFileSync("git", ["init", "-q", "--bare", join(folder, "far.git")]);
	execFileSync("git", ["-C", folder, "remote", "add", "origin", join(folder, "far.git")]);
}

/** One change of a file, for every question about changes. */
export function answerAboutChanges(tracker: ScriptedTracker): void {
	const file = { path: "a.ts", status: "modified" as const, binary: false, added: 2, removed: 1, by: "agent" as const };
	const line = { kind: "+" as const, text: "one", newNumber: 1 };
	const hunk = { id: "h1", oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: [line] };
	tracker.list = async () => ({ changes: [aChange({})], nextCursor: "g1" });
	tracker.get = async () => ({ change: aChange({}), files: [file], notCovered: [{ path: "dump.bin", reason: "too-large" }] });
	tracker.diff = async () => Buffer.from("--- a/a.ts\n");
	tracker.hunks = async () => ({ file, hunks: [hunk] });
	tracker.content = async () => Buffer.from([1, 2, 3]);
	tracker.undoes = ({ newChangeId, kind }) => ({
		files: [{ path: "a.ts", result: "merged" }],
		change: aChange({ id: newChangeId, kind }),
		undoes: [{ changeId: "g1", undone: kind === "undo" }],
	});
}

export function answerAboutSetup(): OpenSetup {
	return {
		look: async () => ({ mcp: new Map([["far", { state: "needs-auth", tools: [] }]]) }),
		setServer: async () => undefined,
		goOn: () => undefined,
		login: async () => ({ authorizationUrl: "https://login.example" }),
		finishLogin: async () => "connected",
	};
}
