import { request } from "node:http";
import type { TestServer } from "../../test/support/server.ts";
import { processCpuMs } from "./processes.ts";
import { noteStamps, openReader } from "./readers.ts";
import type { ModelProcess } from "./start-model.ts";
import type { SdkRelay, SdkWay } from "./start-sdk-relay.ts";

/** A way from the model to a reader. `play` runs this many answers at once. */
export interface TokenSource {
	play(streams: number): Promise<PlayedTokens>;
}

export interface PlayedTokens {
	/** Of every token on arrival. */
	ages: number[];
	/** CPU time of the process between the agent's runtime and the readers. */
	cpuMs: number;
}

const BODY = JSON.stringify({ model: "scripted-model", stream: true, messages: [{ role: "user", content: "Go" }] });

/** Nothing between: the model's own HTTP stream. */
export function rawSource(model: ModelProcess): TokenSource {
	const one = (ages: number[]) =>
		new Promise<void>((resolve, reject) => {
			const asked = request(
				`${model.url}/chat/completions`,
				{ method: "POST", headers: { "content-type": "application/json" } },
				(response) => {
					response.setEncoding("utf8");
					response.on("data", (chunk: string) => {
						for (const [, text = ""] of chunk.matchAll(/"content":"([\d. ]+)"/g)) noteStamps(text, ages);
					});
					response.on("end", resolve);
				},
			);
			asked.on("error", reject);
			asked.end(BODY);
		});
	return { play: async (streams) => ({ ages: await together(streams, (_, ages) => one(ages)), cpuMs: 0 }) };
}

/** The SDK and its runtime with nothing of ours around them: alone, before a bare `ws`, or before a commit and a bare `ws`. */
export const sdkSource = (relay: SdkRelay, way: SdkWay): TokenSource => ({
	async play(streams) {
		const ages: number[] = [];
		const named = Array.from({ length: way === "alone" ? 0 : streams }, (_, stream) => `${way}-${stream}`);
		const sockets = await Promise.all(named.map((id) => openReader({ url: relay.url, headers: {} }, id, ages)));
		const played = await relay.play({ way, streams });
		for (const socket of sockets) socket.terminate();
		return { ages: way === "alone" ? played.ages : ages, cpuMs: played.cpuMs };
	},
});

/** The whole server, read by one socket per conversation. */
export function ourSource(server: TestServer): TokenSource {
	const ids: string[] = [];
	return {
		async play(streams) {
			while (ids.length < streams) {
				const created = await server.api("/api/conversations", { method: "POST", json: {} });
				ids.push((await created.json()).conversation.id);
			}
			const cpuBefore = processCpuMs(server.pid);
			const ages = await together(streams, async (stream, ages) => {
				const conversationId = ids[stream] ?? "";
				const socket = await openReader({ url: server.url, headers: { authorization: `Bearer ${server.token}` } }, conversationId, ages);
				const idle = new Promise<void>((resolve, reject) => {
					socket.on("message", (raw) => {
						if (String(raw).startsWith('{"type":"copilot:idle"')) resolve();
					});
					socket.on("close", () => reject(new Error("The server closed the socket.")));
				});
				socket.send(JSON.stringify({ type: "copilot:send", data: { conversationId, prompt: "Go" } }));
				await idle;
				socket.terminate();
			});
			return { ages, cpuMs: processCpuMs(server.pid) - cpuBefore };
		},
	};
}

async function together(streams: number, one: (stream: number, ages: number[]) => Promise<void>): Promise<number[]> {
	const ages: number[] = [];
	await Promise.all(Array.from({ length: streams }, (_, stream) => one(stream, ages)));
	return ages;
}
