import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { beginTalk, type Talk } from "./talk.ts";

/** One server for all: what one agent does must not touch another's conversation. */
let server: TestServer;
let sessions: string;
const talks: Talk[] = [];

beforeAll(async () => {
	sessions = mkdtempSync(join(tmpdir(), "acp-sessions-"));
	const agents = [{ id: "scripted", name: "Scripted", command: acpAgentCommand(`home=${sessions}`) }];
	server = await startServer({ env: { RIGHTSEAT_AGENTS: JSON.stringify(agents) } });
});
afterAll(async () => {
	await Promise.all(talks.map((talk) => talk.close()));
	await server.close();
	rmSync(sessions, { recursive: true, force: true });
});

async function begin(): Promise<Talk> {
	const talk = await beginTalk(server, { agent: "scripted", permissions: "auto" });
	talks.push(talk);
	return talk;
}

/** The next prompt is answered, in the same history, and no turn has ended twice. */
async function expectLife(talk: Talk, turns: number): Promise<void> {
	const next = await talk.send("say still here\nhistory").ended;
	expect(next).toMatchObject({ outcome: "completed" });
	expect(next.text).toContain("still here");
	expect(next.text).toContain("Remembered: say first");
	expect(talk.ends()).toBe(turns + 1);
	expect(talk.openTools()).toEqual([]);
}

describe.concurrent("in the middle of a turn", () => {
	test.each([
		["die", 1000],
		["exit 0", 1000],
		["half-line", 1000],
		["hold-stdout 20000", 1000],
		["freeze", 30_000],
		["block", 30_000],
		["close-stdout", 30_000],
		["stop-reading", 30_000],
	])("[AT9] %j ends the turn in time with what was said, and the next one goes on", async (command, limitMs) => {
		const talk = await begin();
		await talk.send("say first").ended;
		const sent = talk.send(`say partial words\n${command}`);
		await sent.said("partial words");
		const at = performance.now();
		const turn = await sent.ended;
		// Far more than promised, because others do the same on this machine now, and far less than without noticing it.
		expect(performance.now() - at).toBeLessThan(limitMs + 9000);
		expect(turn.outcome).toMatch(/^(?:interrupted|error)$/);
		expect(turn.errors.length).toBeGreaterThan(0);
		await expectLife(talk, 2);
	});

	test.each(["deaf", "no-answer", "cancel-as end_turn", "cancel-as error", "wait", "stubborn sleep 600", "slow 60000"])(
		"[AT9] a stop in %j takes at most 5 s, and the next turn goes on",
		async (command) => {
			const talk = await begin();
			await talk.send("say first").ended;
			const sent = talk.send(`say partial words\n${command}`);
			await sent.said("partial words");
			const at = performance.now();
			talk.stop();
			const turn = await sent.ended;
			expect(performance.now() - at).toBeLessThan(14_000);
			expect(turn.outcome).toBe("aborted");
			await expectLife(talk, 2);
		},
	);

	test.each([
		["twice", ["completed"]],
		["unknown-response", ["completed"]],
		["late A late title", ["completed"]],
		["unprompted By the way.", ["completed"]],
		["open-tool", ["completed"]],
		["orphan-update", ["completed"]],
		["bare-permit", ["completed"]],
		["reopen", ["completed"]],
		["repeat again ", ["completed"]],
		["swallow", ["error"]],
		["odd", ["completed"]],
		["noise", ["completed"]],
		["split grüße 你好 🙂", ["completed"]],
		["surrogate", ["completed"]],
		["invalid-utf8", ["completed"]],
		["stderr-flood 20", ["completed"]],
		["flood 50000", ["completed"]],
		["big-line 1", ["completed"]],
		["big-line 30", ["error"]],
		["big-line 40", ["completed", "error", "interrupted"]],
		["big-line 100", ["error", "interrupted"]],
		["many-values 100000", ["completed"]],
		["many-values 1000000", ["error", "interrupted"]],
		["daemon", ["completed"]],
		["error-text Error: 401", ["completed", "error"]],
		["stop cancelled", ["completed", "aborted", "error", "interrupted"]],
		["stop banana", ["completed", "error"]],
		["null", ["completed", "error"]],
		["fail 1001 no model", ["error"]],
		["inner-death", ["error", "interrupted"]],
	])("[AT9] %j ends the turn once, readably, and the next one goes on", async (command, outcomes) => {
		const talk = await begin();
		await talk.send("say first").ended;
		// An agent that does nothing at all is told so; only `swallow` means that.
		const turn = await talk.send(command === "swallow" ? command : `say words\n${command}`).ended;
		expect(outcomes).toContain(turn.outcome);
		if (turn.outcome === "error") expect(turn.errors.join("")).toMatch(/\w+/);
		await expectLife(talk, 2);
	});

	test.each([
		["request fs/write_text_file", "error -32601"],
		["request craft/drainMidTurnQueue", "error -32601"],
		["stranger", /Stranger: (?!once|always)/],
	])("[AT10] %j is refused at once and grants nothing", async (command, answer) => {
		const talk = await begin();
		await talk.send("say first").ended;
		expect((await talk.send(command).ended).text).toMatch(answer);
		await expectLife(talk, 2);
	});

	test("[AT10] a permission after the end of a turn is refused", async () => {
		const talk = await begin();
		await talk.send("late-permit").ended;
		const { text } = await talk.send("last").ended;
		expect(text).toMatch(/\{("permit":"(?!once|always)[^"]+")?\}/);
	});
});
