import { expect, test } from "vitest";
import { parseArguments } from "../../../bench/support/arguments.ts";
import { type CpuProfile, createServerRooms, type Frame, pageRoomOf, timeByRoom } from "../../../bench/support/rooms.ts";
import { slowestTokens } from "../../../bench/support/slowest.ts";
import { profileMarkdown, profileText } from "../../../bench/support/table.ts";

const frame = (functionName: string, url = "", at = 5): Frame => ({ functionName, url, lineNumber: at, columnNumber: at });

/** A profile in which each of these stacks, the outermost function first, was seen for so many microseconds. */
function profileOf(...seen: [microseconds: number, ...stack: Frame[]][]): CpuProfile {
	const nodes: CpuProfile["nodes"] = [];
	const samples: number[] = [];
	for (const [, ...stack] of seen) {
		for (const [depth, callFrame] of stack.entries())
			nodes.push({ id: nodes.length + 1, callFrame, children: depth + 1 < stack.length ? [nodes.length + 2] : [] });
		samples.push(nodes.length);
	}
	return { nodes, samples, timeDeltas: [0, ...seen.map(([microseconds]) => microseconds)] };
}

test("[BN50] time belongs to the room whose code runs, below it to the room that called, and waiting to none", () => {
	const log = frame("commit", "packages/server/src/core/log/event-log.ts");
	const store = frame("run", "packages/server/src/store/sqlite/sql-database.ts");
	const profile = profileOf(
		[10, frame("(root)"), log],
		[20, frame("(root)"), log, store, frame("run")],
		[3, frame("(root)"), log, store, frame("notify", "packages/server/src/store/sqlite/sync-thread.ts")],
		[4, frame("(root)"), frame("onStreamRead", "node:internal/stream_base_commons")],
		[5, frame("(root)"), frame("(garbage collector)")],
		[600, frame("(root)"), frame("(idle)")],
	);
	expect(
		Object.fromEntries(
			timeByRoom(
				profile,
				createServerRooms(({ url }) => url),
			),
		),
	).toEqual({
		"the log: redacting, coalescing, frames, rings": 10,
		"commits: statements and SQLite": 20,
		"handing over to the thread that syncs": 3,
		"Node: pipes, timers, promises": 4,
		"garbage collection": 5,
	});
});

test("[BN50] on the page a file's evaluation and what runs later are told apart", () => {
	const base = "http://127.0.0.1:1/assets/base-C5FvZ08d.js";
	const evaluated = frame("", base, 0);
	const profile = profileOf(
		[10, frame("(root)"), evaluated, frame("object", base)],
		[20, frame("(root)"), frame("performWork", base), frame("App", "http://127.0.0.1:1/assets/index-DqaZa_50.js")],
		[5, frame("(root)"), frame("(program)")],
		[9, frame("(root)"), frame("(idle)")],
	);
	expect(Object.fromEntries(timeByRoom(profile, pageRoomOf))).toEqual({
		"evaluating base.js": 10,
		"running index.js": 20,
		"the browser itself: compiling, style, layout": 5,
	});
});

test("[BN51] --profile says where the time goes, of the benchmarks that it names, as a table with shares", () => {
	expect(parseArguments(["--profile", "relay,page-load"])).toMatchObject({ profile: true, only: ["relay", "page-load"] });
	expect(parseArguments(["--profile"])).toBeUndefined();
	const values = [75, 24, 0.75, 0.25];
	const lines = ["commits", "sockets", "the fold", "the rest"].map((what, index) => ({ what, value: values[index] ?? 0 }));
	const profile = { title: "a token", unit: "µs", lines };
	expect(profileText(profile).split("\n")).toEqual([
		"a token        µs   share",
		"commits        75   75.0 %",
		"sockets        24   24.0 %",
		"smaller parts  1    1.0 %",
		"together       100",
	]);
	expect(profileMarkdown(profile).split("\n")).toEqual([
		"| a token | µs | share |",
		"| --- | ---: | ---: |",
		"| commits | 75 | 75.0 % |",
		"| sockets | 24 | 24.0 % |",
		"| smaller parts | 1 | 1.0 % |",
		"| together | 100 |  |",
	]);
});

test("[BN50] the slowest hundredth of an answer's tokens is placed: at the beginning, alone, or held up together with others", () => {
	const answer = Array.from({ length: 600 }, () => 1);
	for (const index of [3, 100, 300, 301, 302, 303]) answer[index] = 50;
	expect(slowestTokens("slow", [answer]).lines).toEqual([
		{ what: "later, in a row with another", value: 4 },
		{ what: "among the first 20", value: 1 },
		{ what: "later, alone", value: 1 },
	]);
});
