import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerFrame } from "@rightseat/protocol/frames/server";
import * as z from "zod";
import { textOf } from "../support/said.ts";
import { startServer, type TestServer } from "../support/server.ts";
import type { WsClient } from "../support/ws-client.ts";
import { type AgentModel, startAgentModel } from "./agent-model.ts";
import { commandOf, type RealAgent } from "./real-agent.ts";

/** The whole server with one real agent in it, and the scripted model behind that agent. */
export interface Seat {
	readonly agent: RealAgent;
	/** Another one after a restart. */
	server: TestServer;
	readonly model: AgentModel;
	/** Begins a conversation with the agent; `ask` asks a person before anything happens. */
	begin(permissions?: "auto" | "ask"): Promise<Talk>;
	/** Deletes the conversations so far, and with them their processes: an agent takes hundreds of megabytes. */
	clear(): Promise<void>;
	/** Kills the server, starts it again on the same home, and goes on with this conversation. */
	restart(talk: Talk): Promise<Talk>;
	/** What the server knows of the agent now. */
	known(): Promise<{ capabilities: { images: boolean; models: boolean } }>;
	/** The processes of agents that this server started. */
	processes(): number[];
	close(): Promise<void>;
}

/** One conversation. */
export interface Talk {
	readonly ws: WsClient;
	readonly id: string;
	/** Sends a prompt; `ended` is there when its turn has ended. */
	send(prompt: string, attachments?: string[]): Sent;
	/** Puts a prompt into the running turn, if the agent can. */
	steer(prompt: string): void;
	stop(): void;
	/** The processes that were started for this conversation. */
	processes(): number[];
}
export interface Sent {
	/** The first frame of this type of the turn. */
	frame(type: ServerFrame["type"]): Promise<ServerFrame>;
	ended: Promise<Ended>;
}
/** A turn as a reader saw it. */
export interface Ended {
	outcome: string;
	text: string;
	errors: string[];
	toolNames: string[];
	/** Frames of the turn as one text, to look for anything in. */
	all: string;
}

const LIMIT_MS = 60_000;
/** In the environment of the agent and of whatever it starts. */
const MARKER = "AGENT_SEAT";

export async function takeSeat(agent: RealAgent): Promise<Seat> {
	const model = await startAgentModel();
	const command = commandOf(agent);
	const marker = `seat-${randomUUID()}`;
	const home = mkdtempSync(join(tmpdir(), "rightseat-agent-"));
	const server = await startServer({
		env: {
			RIGHTSEAT_AGENTS: JSON.stringify([
				{ id: agent.id, name: agent.name, command, env: { [MARKER]: marker, HOME: home, ...agent.env(model.url, home) } },
			]),
		},
	});
	const sockets: WsClient[] = [];
	const begun: string[] = [];

	async function begin(permissions: "auto" | "ask" = "auto"): Promise<Talk> {
		const before = new Set(processesWith(marker));
		const response = await seat.server.api("/api/conversations", { method: "POST", json: { agent: agent.id, permissions } });
		const {
			conversation: { id },
		} = z.object({ conversation: z.object({ id: z.string() }) }).parse(await response.json());
		begun.push(id);
		return follow(id, before);
	}

	async function follow(id: string, before: ReadonlySet<number>): Promise<Talk> {
		const ws = await seat.server.ws({ timeoutMs: LIMIT_MS });
		sockets.push(ws);
		return {
			ws,
			id,
			send: (prompt, attachments) => send(ws, id, prompt, attachments),
			steer(prompt) {
				const data = { conversationId: id, prompt, clientMessageId: randomUUID(), mode: "immediate" as const };
				ws.send({ type: "copilot:send", data });
			},
			stop: () => ws.send({ type: "copilot:abort", data: { conversationId: id } }),
			processes: () => processesWith(marker).filter((pid) => !before.has(pid)),
		};
	}

	const seat: Seat = {
		agent,
		server,
		model,
		begin,
		async restart({ id }) {
			seat.server = await seat.server.restart();
			return follow(id, new Set());
		},
		async known() {
			const { agents } = knownAgents.parse(await (await seat.server.api("/api/agents")).json());
			const found = agents.find((one) => one.id === agent.id);
			if (found === undefined) throw new TypeError(`the server does not know ${agent.id}`);
			return found;
		},
		async clear() {
			for (const id of begun.splice(0)) await seat.server.api(`/api/conversations/${id}`, { method: "DELETE" });
		},
		processes: () => processesWith(marker),
		async close() {
			await Promise.all(sockets.map((ws) => ws.close().catch(() => undefined)));
			await seat.server.close();
			await model.close();
			rmSync(home, { recursive: true, force: true, maxRetries: 5 });
		},
	};
	return seat;
}

const knownAgents = z.object({
	agents: z.array(z.object({ id: z.string(), capabilities: z.object({ images: z.boolean(), models: z.boolean() }) })),
});

function send(ws: WsClient, conversationId: string, prompt: string, attachments: string[] = []): Sent {
	const from = ws.frames.length;
	ws.send({ type: "copilot:send", data: { conversationId, prompt, clientMessageId: randomUUID(), attachments } });
	const ended = ws.waitFor("copilot:idle", () => true, { from }).then(({ data }) => summary(ws.frames.slice(from), data.outcome));
	// A case that fails before does not wait for it.
	ended.catch(() => undefined);
	return { frame: (type) => ws.waitFor(type, () => true, { from }), ended };
}

function summary(frames: readonly ServerFrame[], outcome: string): Ended {
	return {
		outcome,
		text: textOf(frames),
		errors: frames.flatMap((frame) => (frame.type === "copilot:error" ? [frame.data.message] : [])),
		toolNames: frames.flatMap((frame) => (frame.type === "copilot:tool_start" ? [frame.data.toolName] : [])),
		all: JSON.stringify(frames),
	};
}

/** Every process whose environment holds the marker: the agent's own and whatever it started. */
function processesWith(marker: string): number[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((pid) => {
			try {
				return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${MARKER}=${marker}`);
			} catch {
				return false;
			}
		});
}
