import WebSocket from "ws";
import type { Fault } from "../fault.ts";
import { costOf } from "../process-examiner.ts";
import { until } from "../quiet.ts";
import type { World } from "../world.ts";

const DEAD_READERS = 24;
const FLOOD_COMMAND = "timeout 3 yes this line is for readers who do not read";
/** Memory that readers who never read may cost together while a flood streams. */
const MAX_GROWTH_MB = 120;

/** Other clients of the server that read nothing, or write far too much. */
export const READER_FAULTS: Fault[] = [
	{
		name: "dead-readers",
		breaks: `${DEAD_READERS} clients follow the conversation and never read, while output floods`,
		async inject(world, random) {
			const sockets = await Promise.all(Array.from({ length: DEAD_READERS }, () => connect(world)));
			const before = costOf(world.server.pid)?.megabytes ?? 0;
			try {
				for (const socket of sockets) {
					socket.send(JSON.stringify({ type: "copilot:subscribe", data: { conversationId: world.conversationId } }));
					socket.pause();
				}
				await flood(world, `dead-${random.between(0, 1e9)}`);
				const grown = (costOf(world.server.pid)?.megabytes ?? 0) - before;
				if (grown > MAX_GROWTH_MB) throw new Error(`Readers who do not read cost ${grown} MB.`);
			} finally {
				for (const socket of sockets) socket.terminate();
			}
		},
	},
	{
		name: "bad-frames",
		breaks: "a client sends frames that nobody can read, until it is disconnected",
		shows: [{ anyOf: ["flood:1008"] }],
		inject: (world) => closedBecause(world, (socket, n) => socket.send(`{"type":${n}`)),
	},
	{
		name: "frame-flood",
		breaks: "a client sends thousands of frames at once, until it is disconnected",
		shows: [{ anyOf: ["flood:1008", "flood:4029"] }],
		inject: (world) => closedBecause(world, (socket) => socket.send('{"type":"ping"}')),
	},
];

async function closedBecause(world: World, send: (socket: WebSocket, n: number) => void): Promise<void> {
	const socket = await connect(world);
	const closed = new Promise<number>((resolve) => socket.once("close", (code) => resolve(code)));
	for (let n = 0; n < 5_000 && socket.readyState === WebSocket.OPEN; n += 1) send(socket, n);
	world.note(`flood:${await closed}`);
}

async function connect(world: World): Promise<WebSocket> {
	const headers = { host: new URL(world.server.url).host, authorization: `Bearer ${world.server.token}` };
	const socket = new WebSocket(`${world.server.url.replace("http", "ws")}/ws`, { headers, perMessageDeflate: false });
	socket.on("error", () => undefined);
	await new Promise<void>((resolve, reject) => {
		socket.once("open", () => resolve());
		socket.once("close", (code) => reject(new Error(`The server closed a new connection with ${code}.`)));
	});
	return socket;
}

async function flood(world: World, id: string): Promise<void> {
	const since = Date.now();
	world.clients[1]?.send({
		type: "bash:exec",
		data: { conversationId: world.conversationId, command: `${FLOOD_COMMAND}; exit 7`, clientMessageId: id },
	});
	await until("The end of the flood", () => world.signs().some((sign) => sign.name === "done:7" && sign.at >= since), 40_000);
}
