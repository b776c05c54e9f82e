import { expect, test } from "vitest";
import { isFromShelld, isToShelld } from "./shelld-protocol.ts";

const end = {
	cause: "exited",
	exitCode: 0,
	signal: null,
	durationMs: 1,
	output: "",
	truncated: false,
	cwd: null,
	leftovers: [{ pid: 1, command: "x" }],
	notices: [],
};

test("[AR143] what the server and its shell process say to each other is taken only when every field is what its type says", () => {
	expect([
		isToShelld({ kind: "kill", key: "1", cause: "killed" }),
		isToShelld({ kind: "output", request: 1, key: "1", newOnly: false, limit: 9 }),
		isFromShelld({ kind: "end", key: "1", end }),
		isFromShelld({ kind: "end", key: "1", end: { ...end, killed: { processes: 1, forced: true } } }),
	]).toEqual([true, true, true, true]);
	expect([
		isToShelld({ kind: "kill", key: "1", cause: "exited" }),
		isToShelld({ kind: "constructor" }),
		isToShelld("close"),
		isFromShelld({ kind: "end", key: "1", end: { ...end, leftovers: [{ pid: "1", command: "x" }] } }),
		isFromShelld({ kind: "live", key: "1" }),
	]).toEqual([false, false, false, false, false]);
});
