import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FromShelld, RunRequest } from "../daemon/shelld-protocol.ts";
import type { OutputFile } from "../output/output-file.ts";
import type { BashProcess } from "../process/launch.ts";
import { withoutNative } from "../process/native.ts";
import type { ProcessEntry, ProcessTable } from "../process/processes.ts";
import type { Snapshot } from "../state/snapshot.ts";
import { type Command, type CommandDeps, startCommand } from "./command.ts";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** No process has this number, so signals to it reach nobody. */
const PID = 99_999_998;
const CHILD: ProcessEntry = { pid: PID + 1, parent: 1, group: PID, session: PID, start: "2", zombie: false, tag: "tag" };
const request: RunRequest = {
	...{ key: "1", conversation: "c", command: ":", cwd: "/", fallbackCwd: "/", timeoutMs: 400, onTimeout: "kill" },
	...{ background: false, want: "model", limit: 1_000 },
};

/** A bash that does what the test says. */
function createFakeBash(snapshot: BashProcess["takeSnapshot"], entered: BashProcess["entered"] = () => ({ directory: "/", trouble: "" })) {
	const heard = { data: (_: Buffer): void => undefined, close: (): void => undefined, exit: (_: number): void => undefined };
	const bash: BashProcess = {
		target: { pid: PID, start: "1", tag: "tag", pipe: undefined, settledAt: undefined, orphans: new Set() },
		onData(listener) {
			heard.data = listener;
		},
		onClose(listener) {
			heard.close = listener;
		},
		onExit(listener) {
			heard.exit = (code) => listener(code, null);
		},
		pause: () => undefined,
		resume: () => undefined,
		takeSnapshot: snapshot,
		entered,
	};
	return { bash, heard };
}

const states: CommandDeps["states"] = {
	...{ setBase: () => undefined, tick: () => 1, reset: () => undefined },
	begin: () => ({ restore: null, merge: () => undefined }),
	isPlain: () => true,
};

function deps(bash: BashProcess, sent: FromShelld[]): CommandDeps {
	return {
		...{ env: Promise.resolve({}), bash: Promise.resolve("bash"), runDirectory: "/", tag: () => "tag" },
		...{ native: withoutNative, started: new Set<number>(), launch: () => bash, giveUpMs: 100, states },
		processes: { table: async () => new Map(), commandLine: async () => "" },
		orphans: () => ({ any: () => false, claim: () => undefined, strays: () => [], settled: () => undefined }),
		openOutputFile: () => undefined,
		send: (message) => sent.push(message),
		onEnded: () => undefined,
	};
}

interface Plan {
	/** It is killed before bash is started. */
	isEarly: boolean;
	isBackground: boolean;
	onTimeout: "kill" | "background";
	/** The disk takes neither state nor output. */
	refuses: boolean;
	/** Bash leaves a child, which lives until it is killed or this many looks have seen it. */
	childLooks: number;
	steps: ("data" | "exit" | "close" | "kill" | "wait" | "check")[];
}

const plans: fc.Arbitrary<Plan> = fc.record({
	isEarly: fc.boolean(),
	isBackground: fc.boolean(),
	onTimeout: fc.constantFrom("kill" as const, "background" as const),
	refuses: fc.boolean(),
	childLooks: fc.nat(6),
	steps: fc.array(fc.constantFrom("data", "exit", "close", "kill", "wait", "check"), { maxLength: 8 }),
});

async function play(plan: Plan): Promise<{ sent: FromShelld[]; ends: number }> {
	const sent: FromShelld[] = [];
	let ends = 0;
	let looks = 0;
	const table = async (): Promise<ProcessTable> => new Map(++looks <= plan.childLooks ? [[CHILD.pid, CHILD]] : []);
	const { bash, heard } = createFakeBash(() => ({ state: new Map(), partial: false, cwd: "/usr", jobs: [1] }));
	const refusal = () => {
		throw new TypeError("ENOSPC");
	};
	const full: OutputFile = { path: "/full", bytes: 0, cut: "error", write: () => undefined, close: () => undefined };
	const command: Command = startCommand(
		{ ...request, background: plan.isBackground, onTimeout: plan.onTimeout },
		{
			...deps(bash, sent),
			processes: { table, commandLine: async () => "child" },
			states: { ...states, begin: () => ({ restore: null, merge: plan.refuses ? refusal : () => undefined }) },
			openOutputFile: () => (plan.refuses ? full : undefined),
			onEnded: () => {
				ends++;
			},
		},
	);
	if (plan.isEarly) void command.kill("killed");
	await vi.advanceTimersByTimeAsync(0);
	const did = new Set<string>();
	for (const step of [...plan.steps, "exit" as const, "close" as const]) {
		const isFirst = !did.has(step);
		did.add(step);
		if (step === "data") heard.data(Buffer.alloc(40_000, "x\n"));
		else if (step === "exit" && isFirst) heard.exit(3);
		else if (step === "close" && isFirst) heard.close();
		else if (step === "kill") void command.kill("killed");
		else if (step === "check") void command.check();
		await vi.advanceTimersByTimeAsync(step === "wait" ? 300 : 0);
	}
	// Longer than any drain, any kill and any timeout; then whoever runs on is looked at until it is gone.
	for (let second = 0; second < 10; second++) {
		await vi.advanceTimersByTimeAsync(1_000);
		void command.check();
	}
	await vi.advanceTimersByTimeAsync(0);
	return { sent, ends };
}

test("[SH132] exactly one end is told, whatever bash, a kill, a timeout and a disk that refuses do in whatever order", async () => {
	await fc.assert(
		fc.asyncProperty(plans, async (plan) => {
			const { sent, ends } = await play(plan);
			const told = sent.filter(({ kind }) => kind === "end" || kind === "gone");
			const [first, second] = told;
			expect([plan, ends, first?.kind]).toEqual([plan, 1, "end"]);
			const hasLeft = first?.kind === "end" && first.end.leftovers.length > 0;
			expect([plan, told.length, second?.kind]).toEqual([plan, hasLeft ? 2 : 1, hasLeft ? "gone" : undefined]);
			expect(told.at(-1)).toBe(sent.filter(({ kind }) => kind !== "watch").at(-1));
		}),
		{ numRuns: 300, seed: 132 },
	);
});

test("[SH103] a directory that answers costs no command its life, however long it runs", async () => {
	const sent: FromShelld[] = [];
	const { bash, heard } = createFakeBash(nothingChanged);
	startCommand({ ...request, timeoutMs: null }, deps(bash, sent));
	await vi.advanceTimersByTimeAsync(3_600_000);
	expect(sent.map(({ kind }) => kind)).toEqual(["started"]);
	heard.exit(0);
	heard.close();
	await vi.advanceTimersByTimeAsync(0);
	expect(sent.at(-1)).toMatchObject({ kind: "end", end: { cause: "exited", exitCode: 0, killed: undefined } });
});

test("[SH103] a directory that does not answer fails the command after 15 s, and not before", async () => {
	const sent: FromShelld[] = [];
	const { bash } = createFakeBash(
		() => undefined,
		() => undefined,
	);
	startCommand({ ...request, timeoutMs: null, cwd: "/dead", fallbackCwd: "/usr" }, deps(bash, sent));
	await vi.advanceTimersByTimeAsync(14_999);
	expect(sent.map(({ kind }) => kind)).toEqual(["started"]);
	await vi.advanceTimersByTimeAsync(2_000);
	expect(sent.at(-1)).toMatchObject({ kind: "end", end: { cause: "exited", exitCode: 126, cwd: "/usr" } });
});

const nothingChanged = (): Snapshot => ({ state: new Map(), partial: false, cwd: "/", jobs: [] });
