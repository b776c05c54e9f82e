import type { ServerResponse } from "node:http";
import type { DemoStep } from "./demo-pilot.ts";

export interface AnswerOptions {
	model: string;
	promptChars: number;
	/** Between two pieces of text; about the speed at which people read. */
	paceMs: number;
}

/** Streams an answer as chat-completions chunks. Stops when the client has gone. */
export async function streamAnswer(response: ServerResponse, steps: DemoStep[], options: AnswerOptions): Promise<void> {
	const write = (choices: object[], more: object = {}) =>
		response.write(
			`data: ${JSON.stringify({ id: "demo", object: "chat.completion.chunk", created: 0, model: options.model, choices, ...more })}\n\n`,
		);
	const delta = (content: object) => write([{ index: 0, delta: content, finish_reason: null }]);
	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
	let toolCalls = 0;
	for (const step of steps) {
		if (step.kind === "tool") {
			delta({ tool_calls: [toolCall(step, toolCalls, options)] });
			toolCalls += 1;
			continue;
		}
		for (const piece of pieces(step.content)) {
			if (response.destroyed) return;
			delta(step.kind === "text" ? { content: piece } : { reasoning_content: piece });
			if (options.paceMs > 0) await new Promise((resolve) => setTimeout(resolve, options.paceMs));
		}
	}
	write([{ index: 0, delta: {}, finish_reason: toolCalls > 0 ? "tool_calls" : "stop" }]);
	write([], { usage: usage(steps, options) });
	response.end("data: [DONE]\n\n");
}

/** The same answer in one piece, for a caller that did not ask for a stream. */
export function sendWhole(response: ServerResponse, steps: DemoStep[], options: Omit<AnswerOptions, "paceMs">): void {
	const content = steps.map((step) => (step.kind === "text" ? step.content : "")).join("");
	const tools = steps.filter((step) => step.kind === "tool").map((step, index) => toolCall(step, index, options));
	const message = { role: "assistant", content, ...(tools.length === 0 ? {} : { tool_calls: tools }) };
	const choices = [{ index: 0, message, finish_reason: tools.length > 0 ? "tool_calls" : "stop" }];
	const body = { id: "demo", object: "chat.completion", created: 0, model: options.model, choices, usage: usage(steps, options) };
	response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The runtime tells calls apart by id within a conversation; the growing prompt makes each one new. */
function toolCall(step: Extract<DemoStep, { kind: "tool" }>, index: number, { promptChars }: { promptChars: number }) {
	return {
		index,
		id: `demo_${promptChars}_${index}`,
		type: "function",
		function: { name: step.name, arguments: JSON.stringify(step.arguments) },
	};
}

/** Words with what follows them; Chinese in pairs of characters. */
function pieces(text: string): string[] {
	return text.match(/\p{Script=Han}{1,2}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
}

function usage(steps: DemoStep[], { promptChars }: { promptChars: number }) {
	const answerChars = steps.reduce((sum, step) => sum + (step.kind === "tool" ? JSON.stringify(step.arguments) : step.content).length, 0);
	const inputTokens = Math.ceil(promptChars / 4);
	const outputTokens = Math.ceil(answerChars / 4);
	return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}
