import { expect, test } from "vitest";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { findMarked } from "../../../packages/server/src/runtime/marked-processes.ts";
import { markerPrefixOf } from "../../../packages/server/src/runtime/markers.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { startAcp, useAcp } from "./acp-harness.ts";
import { lastEvent, ofKind, runTurn, shownText, startTurn } from "./runtime-harness.ts";

const start = useAcp();

test.each([
	["by a signal", "say Half an\ndie"],
	["with exit 0", "say Half an\nexit 0"],
	["in the middle of a line", "say Half an\nhalf-line"],
	["while a child of it holds its output open", "say Half an\nhold-stdout 20000"],
])(
	"[AC70] an agent that dies %s ends its turn as interrupted with all that it said, and the next prompt goes on in the same history",
	async (_how, prompt) => {
		const session = await start().open();
		const events = await runTurn(session, prompt);
		expect(shownText(events)).toBe("Half an");
		expect(ofKind(events, "turn-end")).toMatchObject([{ outcome: "interrupted", error: { code: "agent-died" } }]);
		expect(shownText(await runTurn(session, "history"))).toContain("say Half an");
	},
);

test("[AC70] an agent that closes its output and lives is ended like a dead one", async () => {
	const session = await start().open();
	const events = await runTurn(session, "say Half an\nclose-stdout");
	expect(lastEvent(events)).toMatchObject({ outcome: "interrupted", error: { code: "agent-died" } });
	expect(shownText(await runTurn(session, "say Fresh."))).toBe("Fresh.");
});

test.each(["freeze", "block", "stop-reading"])(
	"[AC71] an agent without a sign of life is ended after a quarter of a minute: %s",
	async (how) => {
		const clock = createFakeClock();
		const session = await start([], { clock }).open();
		const turn = startTurn(session, `say Half an\n${how}`);
		await turn.until(({ kind }) => kind === "text-delta");
		await clock.advance(1_000);
		// What it wrote before is read first, whenever the machine comes to it: that is a sign of life.
		while (turn.events.at(-1)?.kind !== "turn-end") await clock.advance(5_000);
		expect(lastEvent(await turn.done)).toMatchObject({ outcome: "interrupted", error: { code: "agent-frozen", params: { seconds: 15 } } });
		expect(shownText(await runTurn(session, "history"))).toContain("say Half an");
	},
);

test("[AC71] an agent that leaves pings alone is not taken for a frozen one", async () => {
	const clock = createFakeClock();
	const session = await start(["no-ping"], { clock }).open();
	const turn = startTurn(session, "say Thinking\nsteerable");
	await turn.until(({ kind }) => kind === "text-delta");
	for (let look = 0; look < 4; look += 1) {
		await clock.advance(15_000);
		// Its answer comes after it has read all that it was sent before.
		await session.setModel(look % 2 === 0 ? "large" : "small");
	}
	await session.steer({ prompt: "go on", displayPrompt: "go on" });
	expect(lastEvent(await turn.done)).toMatchObject({ outcome: "completed" });
});

test("[AC340] an agent that leaves pings alone and blocks its loop is ended like one that answers them", async () => {
	const clock = createFakeClock();
	const session = await start(["no-ping"], { clock }).open();
	const turn = startTurn(session, "say Half an\nblock");
	await turn.until(({ kind }) => kind === "text-delta");
	while (turn.events.at(-1)?.kind !== "turn-end") await clock.advance(5_000);
	expect(lastEvent(await turn.done)).toMatchObject({ outcome: "interrupted", error: { code: "agent-frozen" } });
	expect(shownText(await runTurn(session, "history"))).toContain("say Half an");
});

test("[AC140] a program that was stopped by a signal is frozen, also when it leaves pings alone", async () => {
	const clock = createFakeClock();
	const session = await start(["no-ping"], { clock }).open();
	const turn = startTurn(session, "say Half an\nfreeze");
	await turn.until(({ kind }) => kind === "text-delta");
	while (turn.events.at(-1)?.kind !== "turn-end") await clock.advance(5_000);
	expect(lastEvent(await turn.done)).toMatchObject({ outcome: "interrupted", error: { code: "agent-frozen" } });
	expect(shownText(await runTurn(session, "history"))).toContain("say Half an");
});

test.each([
	["initialize", ["never-initialize"], { initializeMs: 1_000 }, /did not answer within 1 s/],
	["session/new", ["never-new", "no-resume", "no-load"], { openMs: 1_000 }, /did not answer session\/new in time/],
	["session/resume", ["never-resume"], { openMs: 1_000 }, /did not answer session\/resume in time/],
] as const)(
	"[AC73] an agent that does not answer %s is given up after its limit, and nothing of it is left",
	async (_what, switches, limits, says) => {
		const host = start([...switches], { limits });
		const failure = { code: "agent-start-failed", message: expect.stringMatching(says) };
		await expect(host.open({ previous: "earlier" })).rejects.toMatchObject(failure);
		await expect.poll(() => findMarked(systemClock, (marker) => marker.startsWith(markerPrefixOf(host.home)))).toEqual([]);
	},
);

test.each([
	["that leaves at once is quoted", ["exit-sentence=No such model."], "agent-start-failed", /No such model\./],
	["whose answer to initialize is none is named", ["bad-initialize"], "agent-protocol", /initialize/],
	["of another version of the protocol is refused", ["protocol=2"], "agent-protocol", /version 2/],
	["whose new session has no id is named", ["bad-new"], "agent-protocol", /session\/new/],
	["that makes no session is quoted", ["new-fails=The disk is full."], "agent-start-failed", /The disk is full\./],
])("[AC73] an agent %s", async (_what, switches, code, says) => {
	await expect(start(switches).open()).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
});

test("[AC74] a session whose inner process has died fails once, and is resumed by itself at the next prompt", async () => {
	const session = await start().open();
	await runTurn(session, "say First.");
	expect(lastEvent(await runTurn(session, "inner-death"))).toMatchObject({ outcome: "error", error: { code: "provider-error" } });
	const events = await runTurn(session, "history");
	expect(shownText(events)).toContain("say First.");
	expect(lastEvent(events)).toMatchObject({ outcome: "completed" });
});

test("[AC76] closing the runtime leaves nothing of its agents, also of those that left commands behind and ignore the end", async () => {
	const host = startAcp(["orphans", "ignore-eof", "ignore-term"], { limits: { leaveMs: 100 } });
	const session = await host.open();
	await runTurn(session, "orphan");
	const marked = () => findMarked(systemClock, (marker) => marker.startsWith(markerPrefixOf(host.home)));
	expect((await marked()).length).toBeGreaterThanOrEqual(2);
	await host.close();
	await expect.poll(marked).toEqual([]);
	expect(host.runtime.health().state).toBe("stopped");
});

test("[AC87] an agent that dies again and again rests, says so, and can be woken", async () => {
	const host = start();
	const session = await host.open();
	for (let i = 0; i < 5; i++) expect(lastEvent(await runTurn(session, "die"))).toMatchObject({ outcome: "interrupted" });
	expect(host.runtime.health()).toMatchObject({ state: "resting", code: "agent-resting" });
	expect(lastEvent(await runTurn(session, "say Hi."))).toMatchObject({ outcome: "error", error: { code: "agent-resting" } });
	await expect(host.open({ sessionId: "conversation-2" })).rejects.toMatchObject({ code: "agent-resting" });
	host.runtime.wake();
	expect(shownText(await runTurn(session, "say Awake."))).toBe("Awake.");
	expect(host.runtime.health().state).toBe("ready");
});

test("[AC87] an agent that is not there, or not logged in, says so with the command that helps", async () => {
	const missing = start([], {
		definition: { id: "none", name: "None", command: ["rightseat-no-such-agent"], installCommand: "npm install none" },
	});
	await expect(missing.open()).rejects.toMatchObject({ code: "agent-missing" });
	expect(missing.runtime.health()).toMatchObject({ state: "missing", params: { install: "npm install none" } });
	const atOpen = start(["login"]);
	await expect(atOpen.open()).rejects.toMatchObject({ code: "agent-login" });
	expect(atOpen.runtime.health()).toMatchObject({ state: "login-needed", params: { command: expect.stringContaining("--login") } });
	const atPrompt = start(["login-at-prompt"]);
	expect(lastEvent(await runTurn(await atPrompt.open(), "say x"))).toMatchObject({ outcome: "error", error: { code: "agent-login" } });
	expect(atPrompt.runtime.health().state).toBe("login-needed");
});

test("[AC254] a turn that begins while its process leaves for another session runs in a new one, with its history", async () => {
	const host = start(["never-close"], { limits: { maxProcesses: 2 } });
	const first = await host.open({ sessionId: "a" });
	await runTurn(first, "say One.");
	await runTurn(await host.open({ sessionId: "b" }), "say Two.");
	const third = host.open({ sessionId: "c" });
	await new Promise((resolve) => setImmediate(resolve));
	const events = await runTurn(first, "slow 1500\nhistory");
	expect(shownText(events)).toContain("say One.");
	expect(lastEvent(events)).toMatchObject({ outcome: "completed" });
	expect(shownText(await runTurn(await third, "say Three."))).toBe("Three.");
});

test("[AC88] more sessions than processes work in turn: the oldest idle process leaves, and its session resumes with its history", async () => {
	const host = start([], { limits: { maxProcesses: 1 } });
	const first = await host.open({ sessionId: "a" });
	await runTurn(first, "say One.");
	const second = await host.open({ sessionId: "b" });
	await runTurn(second, "say Two.");
	expect(shownText(await runTurn(first, "history"))).toContain("say One.");
	expect(shownText(await runTurn(second, "history"))).toContain("say Two.");
	const marked = await findMarked(systemClock, (marker) => marker.startsWith(markerPrefixOf(host.home)));
	expect(marked).toHaveLength(1);
});
