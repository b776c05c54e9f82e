import { request } from "node:http";
import { join } from "node:path";
import { createClient } from "../../packages/server/src/runtime/copilot/process/client-options.ts";
import type { TestServer } from "../../test/support/server.ts";
import { openReader } from "./readers.ts";
import { stampMs } from "./relay-protocol.ts";
import type { ModelProcess } from "./start-model.ts";

/** A way from the model to a reader. `play` runs this many answers at once and gives the age of every token on arrival. */
export interface TokenSource {
	play(streams: number): Promise<number[]>;
	close(): Promise<void>;
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
						for (const [, text = ""] of chunk.matchAll(/"content":"([\d. ]+)"/g)) addAges(text, ages);
					});
					response.on("end", resolve);
				},
			);
			asked.on("error", reject);
			asked.end(BODY);
		});
	return { play: (streams) => together(streams, (_, ages) => one(ages)), close: async () => undefined };
}

/** The SDK and its runtime with nothing of ours around them. */
export async function bareSdkSource(model: ModelProcess, home: string): Promise<TokenSource> {
	const client = createClient({ home: join(home, "sdk"), env: process.env });
	await client.start();
	const provider = { type: "openai" as const, baseUrl: model.url, apiKey: "bench" };
	const open = () =>
		client.createSession({
			model: "scripted-model",
			streaming: true,
			provider,
			onPermissionRequest: async () => ({ kind: "approve-once" as const }),
		});
	const sessions: Awaited<ReturnType<typeof open>>[] = [];
	return {
		async play(streams) {
			while (sessions.length < streams) sessions.push(await open());
			return together(streams, async (stream, ages) => {
				const session = sessions[stream];
				const stop = session?.on("assistant.message_delta", (event) => addAges(event.data.deltaContent, ages));
				await session?.sendAndWait({ prompt: "Go" });
				stop?.();
			});
		},
		async close() {
			await client.stop();
		},
	};
}

/** The whole server, read by one socket per conversation. */
export function ourSource(server: TestServer): TokenSource {
	const ids: string[] = [];
	return {
		async play(streams) {
			while (ids.length < streams) {
				const created = await server.api("/api/conversations", { method: "POST", json: {} });
				ids.push((await created.json()).conversation.id);
			}
			return together(streams, async (stream, ages) => {
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
		},
		close: () => server.close(),
	};
}

async function together(streams: number, one: (stream: number, ages: number[]) => Promise<void>): Promise<number[]> {
	const ages: number[] = [];
	await Promise.all(Array.from({ length: streams }, (_, stream) => one(stream, ages)));
	return ages;
}

function addAges(text: string, ages: number[]): void {
	const now = stampMs();
	for (const token of text.split(" ")) if (token !== "") ages.push(now - Number(token));
}
