import type { ServerResponse } from "node:http";
import type { FinishReason, Step } from "./scripted-model-steps.ts";

/** Plays one scripted answer as an OpenAI chat-completions stream. Settles when the answer is over or the client has gone. */
export async function playSteps(response: ServerResponse, steps: Iterable<Step>, answer: { id: string; model: string }): Promise<void> {
	const gone = new Promise<"gone">((resolve) => response.once("close", () => resolve("gone")));
	const stream = createChunkWriter(response, answer);
	let finishReason: FinishReason | undefined;
	let toolCalls = 0;

	for (const step of steps) {
		if (response.destroyed) return;
		switch (step.kind) {
			case "text":
				stream.delta({ content: step.content });
				break;
			case "reasoning":
				stream.delta({ reasoning_content: step.content });
				break;
			case "tool-call": {
				const args = typeof step.arguments === "string" ? step.arguments : JSON.stringify(step.arguments);
				const id = step.id ?? `call_${answer.id}_${toolCalls}`;
				stream.delta({ tool_calls: [{ index: toolCalls, id, type: "function", function: { name: step.name, arguments: args } }] });
				toolCalls += 1;
				break;
			}
			case "usage":
				stream.usage(step.inputTokens, step.outputTokens);
				break;
			case "pause":
				await Promise.race([sleep(step.ms), gone]);
				break;
			case "gate":
				await Promise.race([step.gate.opened, gone]);
				break;
			case "tokens":
				await playTokens(response, step, (content) => stream.delta({ content }));
				break;
			case "raw":
				stream.raw(step.content);
				break;
			case "finish":
				finishReason = step.reason;
				break;
			case "fail":
				response.writeHead(step.status, { "content-type": "application/json", ...step.headers }).end(step.body);
				return;
			case "cut":
				stream.open();
				await new Promise((resolve) => setImmediate(resolve));
				response.destroy();
				return;
			case "end":
				stream.open();
				response.end();
				return;
			case "stall":
				await gone;
				return;
		}
	}
	if (!response.destroyed) stream.finish(finishReason ?? (toolCalls > 0 ? "tool_calls" : "stop"));
}

function createChunkWriter(response: ServerResponse, answer: { id: string; model: string }) {
	const base = { id: answer.id, object: "chat.completion.chunk", created: 1, model: answer.model };
	let usage: object | undefined;
	const open = () => {
		if (response.headersSent) return;
		response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
		response.flushHeaders();
	};
	const write = (chunk: object) => {
		open();
		response.write(`data: ${JSON.stringify({ ...base, ...chunk })}\n\n`);
	};
	return {
		open,
		delta: (delta: object) => write({ choices: [{ index: 0, delta, finish_reason: null }] }),
		raw(content: string) {
			open();
			response.write(content);
		},
		usage(inputTokens: number, outputTokens: number) {
			usage = { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
		},
		finish(reason: FinishReason) {
			write({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
			write({ choices: [], usage: usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
			response.end("data: [DONE]\n\n");
		},
	};
}

/** One timer per stream; a late wake-up writes every token that is due, so the rate holds on a busy machine. */
async function playTokens(response: ServerResponse, step: Extract<Step, { kind: "tokens" }>, write: (content: string) => void) {
	const startedAt = performance.now();
	const intervalMs = 1000 / step.perSecond;
	let sent = 0;
	while (sent < step.count && !response.destroyed) {
		const due = Math.min(step.count, Math.floor((performance.now() - startedAt) / intervalMs) + 1);
		for (; sent < due; sent += 1) write(step.text(sent, performance.timeOrigin + performance.now()));
		if (sent < step.count) await sleep(Math.max(0, startedAt + sent * intervalMs - performance.now()));
	}
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
