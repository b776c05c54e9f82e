import { randomUUID } from "node:crypto";
import * as z from "zod";
import { said, textOf } from "../../support/said.ts";
import type { TestServer } from "../../support/server.ts";

const LIMIT_MS = 60_000;

/** One conversation with an agent, as a client of the server has it. */
export interface Talk {
	readonly id: string;
	/** Sends a prompt and watches its turn. */
	send(prompt: string): Sent;
	/** Presses stop. */
	stop(): void;
	/** How many turns have ended. */
	ends(): number;
	/** The tools that were begun and never ended. */
	openTools(): string[];
	close(): Promise<void>;
}

/** A turn that runs. */
export interface Sent {
	/** Resolves when the answer holds these words. */
	said(words: string): Promise<void>;
	ended: Promise<EndedTurn>;
}

/** A turn as a reader saw it. */
export interface EndedTurn {
	outcome: string;
	text: string;
	errors: string[];
}

export async function beginTalk(server: TestServer, conversation: { agent: string; permissions: "auto" | "ask" }): Promise<Talk> {
	const response = await server.api("/api/conversations", { method: "POST", json: conversation });
	const {
		conversation: { id },
	} = z.object({ conversation: z.object({ id: z.string() }) }).parse(await response.json());
	const ws = await server.ws({ timeoutMs: LIMIT_MS });

	function send(prompt: string): Sent {
		const from = ws.frames.length;
		ws.send({ type: "copilot:send", data: { conversationId: id, prompt, clientMessageId: randomUUID() } });
		return {
			async said(words) {
				await said(ws, words, from);
			},
			ended: ws
				.waitFor("copilot:idle", () => true, { from })
				.then(({ data }) => {
					const frames = ws.frames.slice(from);
					return {
						outcome: data.outcome,
						text: textOf(frames),
						errors: frames.flatMap((frame) => (frame.type === "copilot:error" ? [frame.data.message] : [])),
					};
				}),
		};
	}

	return {
		id,
		send,
		stop: () => ws.send({ type: "copilot:abort", data: { conversationId: id } }),
		ends: () => ws.all("copilot:idle").length,
		openTools() {
			const ended = new Set(ws.all("copilot:tool_end").map(({ data }) => data.toolCallId));
			return ws.all("copilot:tool_start").flatMap(({ data }) => (ended.has(data.toolCallId) ? [] : [data.toolCallId]));
		},
		close: () => ws.close(),
	};
}
