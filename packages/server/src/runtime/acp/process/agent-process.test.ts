import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { findMark } from "@rightseat/shell/process/process-mark";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../../core/kernel/clock.ts";
import { killLeftAgents } from "../../leftovers.ts";
import { findMarked, killMarkedNow } from "../../marked-processes.ts";
import { createMarkers, MARKER_VARIABLE, type Mark, markerPrefixOf } from "../../markers.ts";
import { agentEnvironment } from "./agent-env.ts";
import { type AgentProcess, startAgentProcess } from "./agent-process.ts";
import { createOutputTail, MAX_TAIL_BYTES } from "./output-tail.ts";

const started: AgentProcess[] = [];
afterEach(async () => {
	await Promise.all(started.splice(0).map((agent) => agent.kill()));
});

/** `--norc`: a bash whose input is a socket takes itself for a remote shell, and runs what a person has in `.bashrc`. */
async function start(script: string) {
	const mark = await createMarkers(crypto.randomUUID()).next();
	const { marker } = mark;
	const env = agentEnvironment({ PATH: process.env.PATH }, { own: {}, marker });
	const agent = await startAgentProcess({ command: ["bash", "--norc", "-c", script], cwd: tmpdir(), env, mark }, systemClock);
	started.push(agent);
	return { agent, marker };
}

const firstLine = (agent: AgentProcess) =>
	new Promise<string>((resolve) => agent.stdout.once("data", (data) => resolve(String(data).trim())));

test("[AC10] an agent gets the environment of a person's terminal with the keys of their providers, and nothing of ours", () => {
	const env = {
		...{ PATH: "/a/node_modules/.bin:/usr/bin", HOME: "/home/me", ANTHROPIC_API_KEY: "theirs", LANG: "C.UTF-8" },
		...{
			RIGHTSEAT_PROVIDER_KEY: "ours",
			TELEGRAM_BOT_TOKEN: "ours",
			GITHUB_TOKEN: "ours",
			COPILOT_X: "ours",
			NODE_OPTIONS: "--x",
			npm_config_x: "y",
		},
	};
	expect(agentEnvironment(env, { own: { GITHUB_TOKEN: "given to this agent" }, marker: "m" })).toEqual({
		PATH: "/usr/bin",
		HOME: "/home/me",
		ANTHROPIC_API_KEY: "theirs",
		LANG: "C.UTF-8",
		NO_COLOR: "1",
		GITHUB_TOKEN: "given to this agent",
		[MARKER_VARIABLE]: "m",
	});
});

test("[MC35] an agent has the id of its conversation in its environment, whatever stood there before", () => {
	const env = agentEnvironment({ RIGHTSEAT_CONVERSATION: "of another server" }, { own: {}, marker: "m", conversation: "c1" });
	expect(env.RIGHTSEAT_CONVERSATION).toBe("c1");
	expect(
		agentEnvironment({ RIGHTSEAT_CONVERSATION: "of another server" }, { own: {}, marker: "m" }).RIGHTSEAT_CONVERSATION,
	).toBeUndefined();
});

test("[AC11] of what an agent writes to standard error its end is kept, bounded, without colours", () => {
	const tail = createOutputTail();
	for (let i = 0; i < 50; i++) tail.push(Buffer.alloc(10_000, "x"));
	tail.push(Buffer.from("\u001b[31mNo such model.\u001b[0m\n"));
	expect(tail.size).toBeLessThanOrEqual(MAX_TAIL_BYTES);
	expect(tail.text(20)).toBe("xxxxxxNo such model.");
	tail.push(Buffer.from("It is gone.\nBye.\n"));
	expect([tail.text(30), tail.text(4)]).toEqual(["It is gone.\nBye.", "Bye."]);
});

test("[AC12] killing an agent leaves nothing of it, not even what moved to a session of its own", async () => {
	const { agent, marker } = await start("setsid sleep 1000 & (setsid bash --norc -c 'sleep 1000; true' &) ; echo ready; sleep 1000");
	expect(await firstLine(agent)).toBe("ready");
	await expect.poll(async () => (await findMarked(systemClock, (found) => found === marker)).length).toBeGreaterThanOrEqual(3);
	await agent.kill();
	await expect.poll(() => findMarked(systemClock, (found) => found === marker)).toEqual([]);
	expect(await agent.exited).toEqual({ code: null, signal: "SIGKILL" });
});

test("[AC143] a child that was given an environment without the marker, and a session of its own, ends with its agent", async () => {
	const { agent } = await start("env -i setsid sleep 1000 & echo $!; sleep 1000");
	const child = Number(await firstLine(agent));
	const program = () => readFile(`/proc/${child}/cmdline`, "utf8").catch(() => "");
	await expect.poll(program).toBe("sleep\x001000\x00");
	await agent.kill();
	await expect.poll(program).toBe("");
});

/** Starts what has neither our environment nor our session, group or output, takes no notice of SIGTERM, and whose parent is gone; says its number. */
const DAEMON = `env -i bash --norc -c 'cd /; trap "" TERM; setsid sleep 1000 <&- >/dev/null 2>&1 & echo $!'`;

test.skipIf(process.platform !== "linux")(
	"[AC400] what an agent started ends with it, also without its environment, session, group, output and parent",
	async () => {
		const { agent, marker } = await start(`${DAEMON}; sleep 1000`);
		const daemon = Number(await firstLine(agent));
		expect(findMark(daemon)).toBe(marker);
		await agent.kill();
		await expect.poll(() => findMark(daemon)).toBeUndefined();
	},
);

test.skipIf(process.platform !== "linux")(
	"[AC400] and so it does when the agent has ended by itself, whose exit code is told",
	async () => {
		const { agent, marker } = await start(`${DAEMON}; exit 7`);
		const daemon = Number(await firstLine(agent));
		expect(await agent.exited).toEqual({ code: 7, signal: null });
		expect(findMark(daemon)).toBe(marker);
		await agent.kill();
		await expect.poll(() => findMark(daemon)).toBeUndefined();
	},
);

test.skipIf(process.platform !== "linux")(
	"[AC401] only the agent is marked: neither this process nor what it starts afterwards",
	async () => {
		const { agent, marker } = await start("sleep 1000");
		const other = spawn("sleep", ["1000"]);
		expect([agent.pid, process.pid, other.pid ?? 0].map(findMark)).toEqual([marker, undefined, undefined]);
		other.kill("SIGKILL");
	},
);

test("[AC402] markers of one home begin alike, those of one server too, and no two agents of it have the same", async () => {
	const [first, second] = [createMarkers("/home/a"), createMarkers("/home/a")];
	const markers = await Promise.all(Array.from({ length: 1_000 }, async () => (await first.next()).marker));
	expect(new Set(markers).size).toBe(1_000);
	for (const marker of [...markers, (await second.next()).marker]) expect(marker).toMatch(/^4\d{18}$/);
	expect(markers.every((marker) => marker.startsWith(first.run) && marker.startsWith(markerPrefixOf("/home/a")))).toBe(true);
	expect(markerPrefixOf("/home/b")).not.toBe(markerPrefixOf("/home/a"));
});

test("[AC13] the end of an agent is noticed although a child of it holds its standard output open, with all that it said", async () => {
	const { agent } = await start("sleep 1000 & echo last words; exit 3");
	const said = firstLine(agent);
	expect(await agent.exited).toEqual({ code: 3, signal: null });
	expect(await said).toBe("last words");
});

test("[AC14] a program that is not there rejects, and nothing stays behind", async () => {
	const mark = await createMarkers("").next();
	const wanted = { command: ["rightseat-no-such-agent"], cwd: tmpdir(), env: {}, mark };
	await expect(startAgentProcess(wanted, systemClock)).rejects.toMatchObject({ code: "ENOENT" });
});

test("[AC16] what agents of an earlier server of this home left is found and killed at the start, and nobody else's", async () => {
	const home = `/home/${crypto.randomUUID()}`;
	const [ours, others] = [await createMarkers(home).next(), await createMarkers(crypto.randomUUID()).next()];
	const sleep = (mark: Mark) =>
		startAgentProcess(
			{
				command: ["sleep", "1000"],
				cwd: tmpdir(),
				env: agentEnvironment({ PATH: process.env.PATH }, { own: {}, marker: mark.marker }),
				mark,
			},
			systemClock,
		);
	const [left, stranger] = await Promise.all([sleep(ours), sleep(others)]);
	started.push(left, stranger);
	await expect.poll(() => findMarked(systemClock, (found) => found === ours.marker || found === others.marker)).toHaveLength(2);
	expect(await killLeftAgents(home, createMarkers(home).run, systemClock)).toBeGreaterThanOrEqual(1);
	expect(await left.exited).toMatchObject({ signal: "SIGKILL" });
	expect(await findMarked(systemClock, (found) => found === others.marker)).toEqual([stranger.pid]);
});

test("[AC342] a server that ends at once kills its agents without waiting for anything, and nobody else's", async () => {
	const { agent, marker } = await start("setsid sleep 1000 & echo ready; sleep 1000");
	const other = await start("echo ready; sleep 1000");
	await Promise.all([firstLine(agent), firstLine(other.agent)]);
	expect(killMarkedNow((found) => found === marker)).toBeGreaterThan(1);
	expect(await agent.exited).toMatchObject({ signal: "SIGKILL" });
	expect(await findMarked(systemClock, (found) => found === marker)).toEqual([]);
	expect(await findMarked(systemClock, (found) => found === other.marker)).not.toEqual([]);
});
