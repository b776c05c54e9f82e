import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentRuntime, AskUser, OpenSession, TurnEvent } from "../../packages/server/src/core/ports/agent-runtime.ts";
import type { AgentTool } from "../../packages/server/src/core/ports/agent-tool.ts";

/** One thing that an agent is made to do: the prompt that asks for it, and what must be done from outside while its turn runs. */
export interface Play {
	prompt: string;
	/** For runtimes whose model does not act by itself. */
	drive?(): Promise<void>;
}

/** A runtime in the hands of the suite. A new adapter joins by answering these questions. */
export interface RuntimeUnderTest {
	runtime: AgentRuntime;
	model: string;
	/** A directory that exists. */
	cwd: string;
	plays: {
		/** Says something and ends. */
		answer(): Play;
		/** Calls the tool `Bash` once, then ends. */
		callTool(): Play;
		/** Asks the person one question, then ends. */
		ask(): Play;
		/** Says something and does not end by itself for at least ten seconds. */
		goOn(): Play;
	};
	close(): Promise<void>;
}

/** What every implementation of `AgentRuntime` promises to core; the port's comments say it in words. */
export function describeAgentRuntime(name: string, start: () => Promise<RuntimeUnderTest>): void {
	describe(name, () => {
		let sut: RuntimeUnderTest;
		let sessions = 0;
		beforeAll(async () => {
			sut = await start();
		});
		afterAll(() => sut.close());

		const open = (options: Partial<OpenSession> = {}) =>
			sut.runtime.openSession({
				sessionId: `contract-${++sessions}`,
				previous: null,
				model: sut.model,
				cwd: sut.cwd,
				tools: [],
				settings: () => ({ mode: "agent", effort: "" }),
				onModeLeft: () => undefined,
				mayGoOn: () => true,
				askPlan: async () => ({ approved: true }),
				onLateUsage: () => undefined,
				onTodos: () => undefined,
				form: async () => ({ action: "cancel" }),
				ask: async () => ({ answer: "nobody answered", wasFreeform: true }),
				permit: async () => ({ kind: "approve-once" }),
				...options,
			});

		test("[RT130] a turn ends exactly once, last, and the next one is its own", async () => {
			const session = await open();
			for (const round of ["first", "second"]) {
				const { events } = await play(session, sut.plays.answer());
				expectOneEnd(events, "completed");
				expect(
					events.some(({ kind }) => kind === "text-delta"),
					round,
				).toBe(true);
			}
			await session.close();
		});

		test("[RT131] an abort before, and in the middle of, a turn ends it as aborted, and the session goes on", async () => {
			const session = await open();
			const early = new AbortController();
			early.abort();
			const never: TurnEvent[] = [];
			for await (const event of session.run({ prompt: "x", displayPrompt: "x" }, early.signal)) never.push(event);
			expect(never).toEqual([{ kind: "turn-end", outcome: "aborted" }]);
			const { events } = await play(session, sut.plays.goOn(), { onText: (turn) => turn.stop() });
			expectOneEnd(events, "aborted");
			expectOneEnd((await play(session, sut.plays.answer())).events, "completed");
			await session.close();
		});

		test("[RT132] a question goes to the person; aborting the turn takes it back", async () => {
			const asked: AskUser[] = [];
			const session = await open({
				ask: async (question) => {
					asked.push(question);
					return { answer: question.choices?.[0] ?? "yes", wasFreeform: false };
				},
				tools: [probe().tool],
			});
			expectOneEnd((await play(session, sut.plays.ask())).events, "completed");
			expect(asked).toEqual([expect.objectContaining({ question: expect.any(String), allowFreeform: expect.any(Boolean) })]);
			await session.close();

			const stop = new AbortController();
			const taken = new AbortController();
			const patient = await open({
				ask: (_question, signal) =>
					new Promise((resolve) => {
						signal.addEventListener("abort", () => {
							taken.abort();
							resolve({ answer: "nobody answered", wasFreeform: true });
						});
						stop.abort();
					}),
			});
			const { events } = await play(patient, sut.plays.ask(), { signal: stop.signal });
			expectOneEnd(events, "aborted");
			expect(taken.signal.aborted).toBe(true);
			await patient.close();
		});

		test("[RT133] a tool runs only after its permission, and not at all when that is refused; the turn goes on", async () => {
			const order: string[] = [];
			const { tool } = probe(() => order.push("run"));
			const permit: OpenSession["permit"] = async ({ toolName }) => {
				order.push(`permit ${toolName}`);
				return { kind: "approve-once" };
			};
			const allowed = await open({ tools: [tool], permit });
			expectOneEnd((await play(allowed, sut.plays.callTool())).events, "completed");
			expect(order).toEqual(["permit Bash", "run"]);
			await allowed.close();
			order.length = 0;
			const refused = await open({ tools: [tool], permit: async () => ({ kind: "reject", feedback: "Rather not." }) });
			const { events } = await play(refused, sut.plays.callTool());
			expectOneEnd(events, "completed");
			expect(order).toEqual([]);
			expect(events.filter(({ kind }) => kind === "tool-end")).toMatchObject([{ success: false }]);
			await refused.close();
		});

		test("[RT134] a tool runs once, is shown with start, output and end under its id, and its own words are the result", async () => {
			const { tool, calls } = probe();
			const session = await open({ tools: [tool] });
			const { events } = await play(session, sut.plays.callTool());
			const toolCallId = calls[0] ?? "none";
			expect(calls).toHaveLength(1);
			expect(events.filter((event) => "toolCallId" in event)).toMatchObject([
				{ kind: "tool-start", toolCallId, toolName: "Bash" },
				{ kind: "tool-output", toolCallId, content: "live" },
				{ kind: "tool-end", toolCallId, success: true, result: "the tool's own words" },
			]);
			await session.close();
		});

		test("[RT135] a prompt can be steered into a running turn, which still ends once; without one it is refused", async () => {
			const session = await open();
			const more = { prompt: "and more", displayPrompt: "and more" };
			await expect(session.steer(more)).rejects.toMatchObject({ code: "not-running" });
			const { events } = await play(session, sut.plays.goOn(), {
				async onText(turn) {
					await session.steer(more);
					turn.stop();
				},
			});
			expectOneEnd(events, "aborted");
			await expect(session.steer(more)).rejects.toMatchObject({ code: "not-running" });
			await session.close();
		});

		test("[RT136] a session that was let go is opened again under its id; closing one in the middle of a turn ends the turn", async () => {
			const first = await open({ sessionId: "contract-again" });
			expectOneEnd((await play(first, sut.plays.answer())).events, "completed");
			await first.close();
			await first.close();
			const second = await open({ sessionId: "contract-again", previous: first.sessionId });
			expect(second.sessionId).toBe(first.sessionId);
			expect([first.opened, second.opened]).toEqual(["new", "resumed"]);
			const { events } = await play(second, sut.plays.goOn(), { onText: () => void second.close() });
			expect(events.filter(({ kind }) => kind === "turn-end")).toHaveLength(1);
			expect(events.at(-1)?.kind).toBe("turn-end");
		});

		test("[RT137] a session can be deleted and opened anew; deleting what is not there is fine", async () => {
			await sut.runtime.deleteSession("contract-unknown");
			const session = await open({ sessionId: "contract-deleted" });
			expectOneEnd((await play(session, sut.plays.answer())).events, "completed");
			await session.close();
			await sut.runtime.deleteSession("contract-deleted");
			const anew = await open({ sessionId: "contract-deleted" });
			expectOneEnd((await play(anew, sut.plays.answer())).events, "completed");
			await anew.close();
		});

		test("[RT138] there is a model to choose, and the default is among them; closing ends what runs", async () => {
			const { models, default: first } = await sut.runtime.listModels();
			expect(models.map(({ id }) => id)).toContain(first);
			const session = await open();
			const { events } = await play(session, sut.plays.goOn(), { onText: () => void sut.runtime.close() });
			expect(events.filter(({ kind }) => kind === "turn-end")).toHaveLength(1);
			expect(["aborted", "interrupted"]).toContain(endOf(events)?.outcome);
		});
	});
}

/** The tool `Bash`, which runs nothing. */
function probe(onRun: () => void = () => undefined): { tool: AgentTool; calls: string[] } {
	const calls: string[] = [];
	const tool: AgentTool = {
		name: "Bash",
		description: "Runs a command.",
		parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
		async run(_args, { toolCallId, output }) {
			calls.push(toolCallId);
			onRun();
			output("live");
			return { ok: true, text: "the tool's own words" };
		},
	};
	return { tool, calls };
}

interface PlayOptions {
	signal?: AbortSignal;
	/** Called once, at the first text. */
	onText?(turn: { stop(): void }): unknown;
}

async function play(session: Awaited<ReturnType<AgentRuntime["openSession"]>>, { prompt, drive }: Play, options: PlayOptions = {}) {
	const stop = new AbortController();
	const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
	const events: TurnEvent[] = [];
	const driven = drive?.();
	let seen: Promise<void> | undefined;
	for await (const event of session.run({ prompt, displayPrompt: prompt }, signal)) {
		if (event.kind === "text-delta" && !events.some(({ kind }) => kind === "text-delta"))
			seen = Promise.resolve(options.onText?.({ stop: () => stop.abort() })).then(() => undefined);
		events.push(event);
	}
	await seen;
	await driven;
	return { events };
}

const endOf = (events: TurnEvent[]) => events.find((event) => event.kind === "turn-end");

function expectOneEnd(events: TurnEvent[], outcome: string) {
	expect(events.filter(({ kind }) => kind === "turn-end")).toHaveLength(1);
	expect(events.at(-1)).toMatchObject({ kind: "turn-end", outcome });
}
