import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { useAcp } from "./acp-harness.ts";
import { bashTool, lastEvent, ofKind, runTurn, shownText } from "./runtime-harness.ts";

const start = useAcp();

/** Lets a session with one turn go and opens it again. */
async function reopen(switches: string[]) {
	const host = start(switches);
	const first = await host.open();
	await runTurn(first, "say First.");
	const { sessionId } = first;
	await first.close();
	const session = await host.open({ previous: sessionId });
	return { host, sessionId, session };
}

test.each([
	["is resumed", []],
	["is loaded where resuming is not announced, with the replay swallowed", ["no-resume"]],
	["is loaded where resuming fails", ["resume-fails"]],
])("[AC84] a session %s: same id, same history, nothing shown twice", async (_how, switches) => {
	const { session, sessionId } = await reopen(switches);
	expect([session.sessionId, session.opened]).toEqual([sessionId, "resumed"]);
	const events = await runTurn(session, "history");
	expect(shownText(events)).toBe("Remembered: say First.");
	expect(ofKind(events, "notice")).toEqual([]);
});

test.each([
	["no-resume", "no-load"],
	["resume-fails", "load-fails"],
])("[AC84] a session that cannot be had again is a new one, and said to be lost: %s %s", async (...switches) => {
	const { session, sessionId } = await reopen(switches);
	expect(session.opened).toBe("lost");
	expect(session.sessionId).not.toBe(sessionId);
	expect(shownText(await runTurn(session, "history"))).toBe("Remembered: nothing");
});

test("[AC84] a session that is lost while it is held is told in its next turn", async () => {
	const host = start();
	const session = await host.open();
	await runTurn(session, "say First.");
	await runTurn(session, "die");
	rmSync(host.sessions, { recursive: true, force: true });
	const events = await runTurn(session, "history");
	expect(ofKind(events, "notice")).toMatchObject([{ code: "history-lost" }]);
	expect(shownText(events)).toBe("Remembered: nothing");
});

test("[AC84] a session that another program has open is refused, and no new one is made", async () => {
	const host = start(["in-use"]);
	const first = await host.open({ sessionId: "a" });
	await runTurn(first, "say First.");
	await expect(host.open({ sessionId: "b", previous: first.sessionId })).rejects.toMatchObject({
		message: expect.stringContaining("in use"),
	});
});

test("[AG250] a session whose agent ended between two turns says before the next one that its history is lost", async () => {
	const host = start(["no-resume", "no-load"]);
	const session = await host.open();
	const { pid, session: first } = JSON.parse(shownText(await runTurn(session, "where")));
	process.kill(pid, "SIGKILL");
	await expect.poll(() => host.runtime.health().state).toBe("off");
	await session.reopen?.();
	expect([session.opened, session.sessionId === first]).toEqual(["lost", false]);
	const events = await runTurn(session, "say Hi.");
	expect([shownText(events), ofKind(events, "notice")]).toEqual(["Hi.", []]);
});

test.each([
	["options", []],
	["the older modes", ["no-options"]],
])(
	"[AC50] whatever mode an agent begins in, it asks a person: before the first prompt and after a resume, by %s",
	async (_how, switches) => {
		const host = start(["start-mode=bypassPermissions", "options-reset", ...switches]);
		const asked: string[] = [];
		const permit = async ({ summary }: { summary: string }) => {
			asked.push(summary);
			return { kind: "reject" as const, feedback: "No." };
		};
		const session = await host.open({ permit });
		expect(shownText(await runTurn(session, "permit"))).toBe("Permission: no");
		await runTurn(session, "die");
		expect(shownText(await runTurn(session, "permit"))).toBe("Permission: no");
		expect(asked).toHaveLength(2);
	},
);

test("[AC50] an agent that stays in a mode in which nobody is asked gets no prompt", async () => {
	await expect(start(["start-mode=bypassPermissions", "option-fails"]).open()).rejects.toMatchObject({
		code: "agent-start-failed",
		message: expect.stringContaining("mode"),
	});
});

test("[AC50] an agent that puts itself into such a mode in the middle of a turn is put back", async () => {
	const session = await start().open();
	await runTurn(session, "say x\nmode bypassPermissions\nslow 300");
	expect(JSON.parse(shownText(await runTurn(session, "options")))).toMatchObject({ mode: "default" });
});

test("[AC252] one that says so with its options is put back too", async () => {
	const session = await start().open();
	await runTurn(session, "say x\nmode-option bypassPermissions");
	expect(JSON.parse(shownText(await runTurn(session, "options")))).toMatchObject({ mode: "default" });
});

test("[AC51] the model is set before the first prompt, kept over a resume, changed in between, and listed once a session was open", async () => {
	const host = start(["options-reset"]);
	expect(await host.runtime.listModels()).toMatchObject({ state: "unlisted", default: "", models: [{ id: "" }] });
	const session = await host.open({ model: "large" });
	const model = async () => JSON.parse(shownText(await runTurn(session, "options"))).model;
	expect(await model()).toBe("large");
	await runTurn(session, "die");
	expect(await model()).toBe("large");
	await session.setModel("small");
	expect(await model()).toBe("small");
	await expect(session.setModel("nonsense")).rejects.toMatchObject({ message: expect.stringContaining("nonsense") });
	expect(await host.runtime.listModels()).toMatchObject({
		state: "listed",
		default: "",
		models: [{ id: "" }, { id: "small" }, { id: "large" }],
	});
	expect(host.runtime.capabilities()).toEqual({ resume: true, steer: true, models: true, images: true, sharedShell: true });
});

test("[AC10] an agent has none of our secrets, and our tools only where it takes them over HTTP", async () => {
	const host = start([], { env: { ...process.env, RIGHTSEAT_PROVIDER_KEY: "ours", ANTHROPIC_API_KEY: "theirs" } });
	const session = await host.open({ tools: [bashTool(host.home)] });
	expect(shownText(await runTurn(session, "env RIGHTSEAT_PROVIDER_KEY\nenv ANTHROPIC_API_KEY\ntools"))).toBe(
		"RIGHTSEAT_PROVIDER_KEY=(not set)ANTHROPIC_API_KEY=theirsTools: Bash",
	);
	const without = start(["no-mcp-http"]);
	expect(shownText(await runTurn(await without.open({ tools: [bashTool(without.home)] }), "tools"))).toBe("Tools: none");
	expect(without.runtime.capabilities().sharedShell).toBe(false);
});

test("[AC44] a page that the agent wants opened is asked for; without an answer of a person it is cancelled", async () => {
	const asked: string[] = [];
	const session = await start().open({
		ask: async ({ question }) => {
			asked.push(question);
			return { answer: "Done", wasFreeform: false };
		},
	});
	expect(shownText(await runTurn(session, "askurl https://example.org/login"))).toBe("Page: accept");
	expect(asked).toEqual(["Open this page.\nhttps://example.org/login"]);
	expect(lastEvent(await runTurn(session, "askurl file:///etc/passwd"))).toEqual({ kind: "turn-end", outcome: "completed" });
	expect(asked).toHaveLength(1);
});
