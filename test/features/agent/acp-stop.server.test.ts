import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import type { PermitDecision } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import { findMarked } from "../../../packages/server/src/runtime/marked-processes.ts";
import { markerPrefixOf } from "../../../packages/server/src/runtime/markers.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { useAcp } from "./acp-harness.ts";
import { bashTool, lastEvent, manualTool, ofKind, runTurn, shownText, startTurn } from "./runtime-harness.ts";

const start = useAcp();
const aborted = { kind: "turn-end", outcome: "aborted" };

test.each(["wait", "cancel-as end_turn", "cancel-as error"])(
	"[AC75] a stop that the agent answers, with whatever, ends the turn as aborted, and the same process goes on: %s",
	async (how) => {
		const session = await start().open();
		const pid = JSON.parse(shownText(await runTurn(session, "where"))).pid;
		const turn = startTurn(session, `say Half an\n${how}`);
		await turn.until(({ kind }) => kind === "text-delta");
		turn.stop();
		expect(ofKind(await turn.done, "turn-end")).toEqual([aborted]);
		expect(JSON.parse(shownText(await runTurn(session, "where"))).pid).toBe(pid);
	},
);

test.each(["deaf", "no-answer"])(
	"[AC75] an agent that does not listen to a stop is ended after two seconds, and goes on in the same history: %s",
	async (how) => {
		const clock = createFakeClock();
		const session = await start([], { clock }).open();
		const turn = startTurn(session, `say Half an\n${how}`);
		await turn.until(() => shownText(turn.events) === "Half an");
		turn.stop();
		await clock.advance(2_000);
		const events = await turn.done;
		expect(shownText(events)).toBe("Half an");
		expect(ofKind(events, "turn-end")).toEqual([aborted]);
		expect(shownText(await runTurn(session, "history"))).toContain("say Half an");
	},
);

test("[AC75] a stop while a permission waits takes the request back and ends the turn", async () => {
	const asked: AbortSignal[] = [];
	const session = await start().open({
		permit: (_request, signal) => {
			asked.push(signal);
			return new Promise<PermitDecision>(() => undefined);
		},
	});
	const turn = startTurn(session, "run ls");
	await turn.until(({ kind }) => kind === "tool-start");
	await expect.poll(() => asked.length).toBe(1);
	turn.stop();
	expect(lastEvent(await turn.done)).toEqual(aborted);
	expect(asked[0]?.aborted).toBe(true);
});

test("[AC75] a stop while one of our tools runs stops the tool", async () => {
	const manual = manualTool("Bash");
	const session = await start().open({ tools: [manual.tool] });
	const turn = startTurn(session, 'tool Bash {"command":"sleep 100"}');
	const call = await manual.call();
	turn.stop();
	const events = await turn.done;
	expect(call.signal.aborted).toBe(true);
	expect(ofKind(events, "tool-end")).toMatchObject([{ success: false }]);
	expect(lastEvent(events)).toEqual(aborted);
	call.answer("too late");
});

test("[AC76] a command that an agent leaves running after a stop is ended with it", async () => {
	const host = start();
	const session = await host.open();
	const turn = startTurn(session, "open-tool\nstubborn sleep 1000");
	await turn.until(({ kind }) => kind === "text-delta");
	turn.stop();
	expect(lastEvent(await turn.done)).toEqual(aborted);
	await expect.poll(() => findMarked(systemClock, (marker) => marker.startsWith(markerPrefixOf(host.home)))).toEqual([]);
	expect(shownText(await runTurn(session, "say Fresh."))).toBe("Fresh.");
});

test("[AC85] whatever happens to an agent, two processes never have one session open", async () => {
	const host = start();
	const session = await host.open();
	for (const prompt of ["say One.", "die", "say Two.", "exit 3", "say Three."]) await runTurn(session, prompt);
	const { sessionId } = session;
	await session.close();
	const again = await host.open({ previous: sessionId });
	const other = await host.open({ previous: sessionId });
	expect([again.sessionId, other.sessionId]).toEqual([sessionId, sessionId]);
	expect(shownText(await runTurn(other, "history"))).toContain("say Three.");
	expect(readdirSync(host.sessions)).not.toContain("two-at-once.log");
});

test.each([
	["by the agent and for the call itself, once", ["asks"]],
	["for the call itself", []],
])("[AC86] a call of our tools is asked for %s; its card is tied by the agent's id", async (_how, switches) => {
	for (const tie of [[], ["tie=claude"], ["tie=codex"]]) {
		const asked: unknown[] = [];
		const host = start([...switches, ...tie]);
		const session = await host.open({
			tools: [bashTool(host.home)],
			permit: async ({ toolName, summary }) => {
				asked.push({ toolName, summary });
				return { kind: "approve-once" };
			},
		});
		const events = await runTurn(session, 'tool Bash {"command":"echo hello"}');
		expect(asked).toEqual([{ toolName: "Bash", summary: "Run echo hello" }]);
		expect(ofKind(events, "tool-end")).toMatchObject([{ success: true, result: "hello\n" }]);
		expect(ofKind(events, "tool-start")).toMatchObject([{ toolName: "Bash", arguments: { command: "echo hello" } }]);
	}
});

test("[AC86] a command in the agent's own shell is asked for, shown as the agent's, and not run when it is refused", async () => {
	const answers: PermitDecision[] = [{ kind: "approve-once" }, { kind: "reject", feedback: "No." }];
	const session = await start().open({ permit: async () => answers.shift() ?? { kind: "reject", feedback: "No." } });
	const events = await runTurn(session, "run echo hello");
	expect(ofKind(events, "tool-start")[0]).toMatchObject({ shell: "agent", arguments: { command: "echo hello" } });
	expect(ofKind(events, "tool-end")).toMatchObject([{ success: true, result: expect.stringContaining("hello") }]);
	expect(ofKind(await runTurn(session, "run echo hello"), "tool-end")).toMatchObject([{ success: false, error: "Not permitted: no" }]);
});

test("[AC86] an edit is shown with its diff before it is allowed", async () => {
	const session = await start().open();
	const events = await runTurn(session, "edit notes.txt hello");
	const kinds = events.map(({ kind }) => kind);
	expect(kinds.indexOf("tool-diff")).toBeLessThan(kinds.indexOf("tool-end"));
	expect(ofKind(events, "tool-diff")).toMatchObject([{ path: expect.stringContaining("notes.txt"), newText: "hello" }]);
});
