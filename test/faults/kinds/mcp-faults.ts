import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text, toolCall } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { allProcesses } from "../processes.ts";
import { until } from "../quiet.ts";
import type { World } from "../world.ts";
import { besideThePages, killServer, type Side, sideAnswers } from "./side.ts";

const PROGRAM = join(import.meta.dirname, "..", "..", "support", "mcp-server", "stdio.mjs");

/** An MCP server of the conversation's folder misbehaves, or its agent's server dies over a call of it. */
export const MCP_FAULTS: Fault[] = [
	withMcp(
		"mcp-dies",
		"die",
		"an MCP server ends in the middle of a call",
		[{ anyOf: ["tool-failed"] }],
		async (side, world, mark, struck) => {
			await called(side, world, mark, struck, [text("went on without it")]);
			await side.told("idle:completed", 0);
		},
	),
	withMcp(
		"mcp-hangs",
		"hang",
		"an MCP server never says a word when it is started",
		[{ anyOf: ["notice:mcp-waiting"] }, { anyOf: ["notice:mcp-left-out"], withinMs: 15_000 }],
		async (side, _world, mark, struck) => {
			struck();
			side.say(`hang-${mark}`);
			await side.told("idle:completed", 0);
		},
	),
	withMcp(
		"mcp-silent",
		"silent",
		"an MCP server never answers a call; a person stops the turn",
		[{ anyOf: ["idle:aborted"] }],
		async (side, world, mark, struck) => {
			await called(side, world, mark, () => undefined, []);
			await until("The call", () => existsSync(join(side.cwd, "calls")), 30_000);
			struck();
			side.send({ type: "copilot:abort", data: { conversationId: side.id } });
			await side.told("idle:aborted", 0);
		},
	),
	withMcp(
		"mcp-gushes",
		"gush",
		"an MCP server answers a call with five megabytes",
		[{ anyOf: ["idle:completed"], withinMs: 30_000 }],
		async (side, world, mark, struck) => {
			await called(side, world, mark, struck, [text("that was much")]);
			await side.told("idle:completed", 0);
		},
	),
	{
		...withMcp(
			"mcp-kill-server",
			"silent",
			"the server is killed while an MCP server is called",
			[{ anyOf: ["lost"] }],
			async (side, world, mark, struck) => {
				await called(side, world, mark, () => undefined, []);
				await until("The call", () => existsSync(join(side.cwd, "calls")), 30_000);
				const started = pidsOf(side);
				await killServer(world, struck);
				await until("The end of the MCP server", () => !allProcesses().some(({ pid }) => started.includes(pid)), 10_000);
				const calls = readFileSync(join(side.cwd, "calls"), "utf8").split("\n").length - 1;
				if (calls !== 1) throw new Error(`The MCP server was called ${calls} times.`);
			},
		),
		restarts: true,
	},
];

function withMcp(
	name: string,
	manner: string,
	breaks: string,
	shows: NonNullable<Fault["shows"]>,
	play: (side: Side, world: World, mark: number, struck: () => void) => Promise<void>,
): Fault {
	return besideThePages({
		...{ name, breaks, shows },
		async play(side, world, random, struck) {
			const mark = random.between(0, 1e9);
			await bringServer(side, world, manner);
			await play(side, world, mark, struck);
			await side.settled();
			// Without it from now on, or a server that hangs would hold up the proof that the conversation goes on.
			await side.patch({ mcp: { fixture: false } });
			await sideAnswers(side, String(mark));
		},
	});
}

/** The folder of the conversation brings the server, and a person trusts it. */
export async function bringServer(side: Side, world: World, manner: string): Promise<void> {
	const env = { FIXTURE_LOG: join(side.cwd, "starts"), FIXTURE_CALLS: join(side.cwd, "calls") };
	const server = { type: "stdio", command: process.execPath, args: [PROGRAM, manner], env };
	writeFileSync(join(side.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { fixture: server } }));
	const trusted = await world.server.api("/api/folders/trust", { method: "PUT", json: { path: side.cwd, trusted: true } });
	if (trusted.status !== 204) throw new Error(`Trusting the folder answered ${trusted.status}.`);
}

/** The model calls its tool, and says this when it hears of the result. */
async function called(
	side: Side,
	world: World,
	mark: number,
	struck: () => void,
	then: Parameters<World["model"]["reply"]>,
): Promise<void> {
	const before = world.model.unused;
	world.model.reply(toolCall("fixture-echo", { text: `said-${mark}` }));
	if (then.length > 0) world.model.reply(...then);
	struck();
	side.say(`call-${mark}`);
	await until("The model's request", () => world.model.unused <= before + (then.length > 0 ? 1 : 0), 30_000);
}

function pidsOf(side: Side): number[] {
	const lines = readFileSync(join(side.cwd, "starts"), "utf8").split("\n");
	return lines.flatMap((line) => (line === "" ? [] : [Number(Object(JSON.parse(line)).pid)]));
}
