import type { WebSocket } from "ws";
import type { TestServer } from "../../test/support/server.ts";
import { openReader } from "./readers.ts";
import type { Relay } from "./start-relay.ts";

/** So many agents say stamped tokens at the same time, each read by one socket. */
export interface AgentPlay {
	streams: number;
	perSecond: number;
	count: number;
}

/** A way from the pipe of an agent to a reader. `play` gives the age, on arrival, of every token of the first agent. */
export interface AgentSource {
	play(play: AgentPlay): Promise<number[]>;
}

/** A process that reads pipes and writes sockets, and nothing else. */
export const bareAgentSource = (relay: Relay): AgentSource => ({
	async play({ streams, perSecond, count }) {
		const { ages, close } = await readFirst(relay, relay.conversationIds.slice(0, streams));
		await relay.play({ streams, perSecond, seconds: count / perSecond });
		close();
		return ages;
	},
});

/** The whole server. */
export function ourAgentSource(server: TestServer, agent: string): AgentSource {
	const ids: string[] = [];
	return {
		async play({ streams, perSecond, count }) {
			while (ids.length < streams) {
				const created = await server.api("/api/conversations", { method: "POST", json: { agent } });
				ids.push((await created.json()).conversation.id);
			}
			const relay = { url: server.url, headers: { authorization: `Bearer ${server.token}` } };
			const { ages, sockets, close } = await readFirst(relay, ids.slice(0, streams));
			await Promise.all(
				sockets.map((socket, stream) => {
					const idle = new Promise<void>((resolve, reject) => {
						socket.on("message", (raw) => {
							if (String(raw).startsWith('{"type":"copilot:idle"')) resolve();
						});
						socket.on("close", () => reject(new Error("The server closed the socket.")));
					});
					const data = { conversationId: ids[stream], prompt: `stamps ${count} ${perSecond}` };
					socket.send(JSON.stringify({ type: "copilot:send", data }));
					return idle;
				}),
			);
			close();
			return ages;
		},
	};
}

/** A reader of each, and the ages of what the first one reads. */
async function readFirst(relay: Pick<Relay, "url" | "headers">, ids: readonly string[]) {
	const ages: number[] = [];
	const sockets: WebSocket[] = await Promise.all(ids.map((id, index) => openReader(relay, id, index === 0 ? ages : [])));
	return {
		ages,
		sockets,
		close() {
			for (const socket of sockets) {
				socket.removeAllListeners("close");
				socket.terminate();
			}
		},
	};
}
