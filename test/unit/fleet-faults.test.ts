import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Aftermath, examineAftermath } from "../faults/fleet/examine.ts";
import { FLEET_FAULTS } from "../faults/fleet/faults.ts";
import { FLEET_MUTANTS } from "../faults/fleet/mutants.ts";
import { readFleetOptions } from "../faults/fleet/options.ts";
import { longestPause } from "../faults/fleet/page.ts";
import { rowsOf } from "../faults/fleet/report.ts";
import { createFaultProxy } from "../support/fault-proxy.ts";

const LINES = ["user: p1", "agent: w0 w1 "];
const view = { name: "laptop", lines: LINES, unfinished: "", epoch: "e", seq: 9, disorder: [] };
const GOOD: Aftermath = {
	...{ stored: LINES, head: { epoch: "e", seq: 9 }, views: [view] },
	prompts: [{ id: "p1", isAcked: true, mayBeLost: false }],
	commands: [{ id: "c1", isAcked: true, mayBeLost: false }],
	...{ ran: new Map([["c1", 1]]), answered: new Map([["p1", 1]]) },
};

test("[FL320] the faults are numbered, each says what breaks and what is expected, and what is not played says why", () => {
	expect(FLEET_FAULTS.map(({ number }) => number)).toEqual(FLEET_FAULTS.map((_, index) => index + 1));
	expect(FLEET_FAULTS.length).toBeGreaterThanOrEqual(30);
	for (const { breaks, expected, play, notPlayed } of FLEET_FAULTS) {
		expect([breaks, expected].every((text) => /\w{3}/.test(text))).toBe(true);
		expect(play !== undefined || (notPlayed ?? "").length > 10).toBe(true);
	}
});

test.each([
	["nothing wrong", {}, []],
	[
		"a prompt twice",
		{ stored: [...LINES, ...LINES], views: [{ ...view, lines: [...LINES, ...LINES] }] },
		[/acknowledged prompt p1 is 2 times/],
	],
	["an acknowledged prompt lost", { stored: [], views: [{ ...view, lines: [] }] }, [/acknowledged prompt p1 is 0 times/]],
	["a prompt that ran twice", { answered: new Map([["p1", 2]]) }, [/prompt p1 ran 2 times/]],
	["a command twice", { ran: new Map([["c1", 2]]) }, [/command c1 ran 2 times/]],
	["an acknowledged command that did not run", { ran: new Map() }, [/command c1 ran 0 times/]],
	["a page that is behind", { views: [{ ...view, seq: 8 }] }, [/stands at e\/8, the owner at e\/9/]],
	["a page of another history", { views: [{ ...view, epoch: "f" }] }, [/stands at f\/9/]],
	[
		"a word too few",
		{ views: [{ ...view, lines: ["user: p1", "agent: w0 "] }] },
		[/shows "agent: w0 " where the owner has "agent: w0 w1 "/],
	],
	["a line too many", { views: [{ ...view, lines: [...LINES, "agent: w0"] }] }, [/where the owner has "nothing"/]],
	["an answer that never ends", { views: [{ ...view, unfinished: "w0" }] }, [/never ended/]],
	["an event twice", { views: [{ ...view, disorder: ["copilot:delta came with seq 4, but 5 was next"] }] }, [/seq 4, but 5/]],
])("[FL321] the examiner notices %s", (_, bug, findings) => {
	expect(examineAftermath({ ...GOOD, ...bug })).toEqual(findings.map((finding) => expect.stringMatching(finding)));
});

test("[FL321] what was younger than a state that was put back may be gone, and a pause is the longest time between two events", () => {
	const prompts = [{ id: "p1", isAcked: true, mayBeLost: true }];
	expect(examineAftermath({ ...GOOD, prompts, stored: [], views: [{ ...view, lines: [] }] })).toEqual([]);
	// A very long line is whole on a page that watched it, and its beginning on one that came later.
	expect(examineAftermath({ ...GOOD, stored: ["user: p1", "agent: w0 w1 w2 "], beginnings: LINES })).toEqual([]);
	const long = "w ".repeat(100_000);
	const shown = [{ ...view, lines: ["user: p1", `agent: ${long.slice(-131_072)}`] }];
	expect(examineAftermath({ ...GOOD, stored: ["user: p1", `agent: ${long}`], views: shown })).toEqual([]);
	expect(longestPause([100, 150, 400, 420], 120, 500)).toBe(250);
});

test("[FL322] options are read, and what is not understood is refused with a sentence", () => {
	expect(readFleetOptions(["--fleet", "--only", "1,16", "--rounds", "2", "--seed", "7", "--json"])).toMatchObject({
		...{ only: [1, 16], rounds: 2, seed: 7, json: true, docs: false, mutants: false },
	});
	expect(() => readFleetOptions(["--only", "first"])).toThrow("--only takes a whole number.");
	expect(() => readFleetOptions(["--nodes", "5"])).toThrow("--nodes");
});

test("[FL323] a row tells what was found and measured, and what was not played is never counted as passed", () => {
	const round = { seed: 3, findings: [], measured: ["pause 0.1 s"], ms: 1 };
	const versions = { nats: "2.9.10", node: "v20" };
	const results = [
		{ ...round, number: 1 },
		{ ...round, number: 2, findings: ["laptop shows | too little."] },
		{ ...round, number: 28, measured: [], notPlayed: "no bot" },
	];
	const [first, second, third] = rowsOf(results, versions, new Date("2026-11-17T12:00:00Z")).map(([, row]) => row);
	expect(first).toMatch(/^\| 1 \| .* \| none \| pause 0\.1 s \| 2026-11-17, seed 3, NATS 2\.9\.10, Node v20 \|$/);
	expect(second).toContain("| laptop shows / too little. |");
	expect(third).toMatch(/\| not played \| .*no bot \| {2}\|$/);
});

test("[FL324] a partition holds back one direction, and lets everything go when it heals", async () => {
	const heard: string[] = [];
	const server = createServer((socket) => {
		socket.on("data", (chunk) => heard.push(chunk.toString()));
		socket.on("error", () => undefined);
		socket.write("hello");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const proxy = await createFaultProxy({ port: typeof address === "object" && address !== null ? address.port : 0 });
	proxy.freeze("to-server");
	const client = connect(proxy.port, "127.0.0.1");
	client.write("word");
	// The other direction passes, so the first would have had the time.
	expect(String(await once(client, "data"))).toBe("hello");
	expect(heard).toEqual([]);
	proxy.resume();
	await vi.waitFor(() => expect(heard).toEqual(["word"]));
	client.destroy();
	await proxy.close();
	server.close();
});

test("[FL325] every mutant of the fleet breaks one place of the source, and names a fault that is played", () => {
	const root = join(import.meta.dirname, "..", "..");
	for (const { name, file, search, fault } of FLEET_MUTANTS) {
		expect([name, readFileSync(join(root, file), "utf8").split(search).length - 1]).toEqual([name, 1]);
		expect(FLEET_FAULTS.find(({ number }) => number === fault)?.play).toBeDefined();
	}
});
