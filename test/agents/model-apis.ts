import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Deed, ModelCall } from "./model-play.ts";

/** One way of asking a model over HTTP: how a request is read, and how an answer is written as server-sent events. */
export interface ModelApi {
	matches(path: string): boolean;
	read(body: unknown): ModelCall;
	/** The events of a whole answer, the pauses between them included. */
	write(deeds: readonly Deed[]): Part[];
}
export type Part = Event | { pauseMs: number };
interface Event {
	event?: string;
	data: unknown;
}

const part = z.object({ type: z.string().optional(), text: z.string().optional() }).loose();
const content = z.union([z.string(), z.array(part), z.null()]).optional();
const textOf = (given: z.infer<typeof content>): string =>
	typeof given === "string" ? given : (given ?? []).map(({ text }) => text ?? "").join("\n");
const isPicture = (type: string | undefined) => type === "image_url" || type === "input_image";
const picturesIn = (given: z.infer<typeof content>): number =>
	typeof given === "string" ? 0 : (given ?? []).filter(({ type }) => isPicture(type)).length;
const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
const named = z.object({ name: z.string() }).loose();

/** OpenAI's chat completions, which opencode takes. */
const chat: ModelApi = {
	matches: (path) => path.endsWith("/chat/completions"),
	read(body) {
		const { messages, tools } = z
			.object({
				messages: z.array(z.object({ role: z.string(), content }).loose()),
				tools: z.array(z.object({ function: named }).loose()).optional(),
			})
			.parse(body);
		const by = (role: string) => (role === "tool" ? "tool" : role === "user" ? "user" : "assistant");
		return {
			turns: messages.filter(({ role }) => role !== "system").map(({ role, content }) => ({ by: by(role), text: textOf(content) })),
			tools: (tools ?? []).map((tool) => tool.function.name),
			images: sum(messages.map(({ content }) => picturesIn(content))),
		};
	},
	write(deeds) {
		const chunk = (delta: object, finish_reason: string | null = null, usage?: object) => ({
			data: {
				id: "c1",
				object: "chat.completion.chunk",
				created: 1,
				model: "scripted",
				choices: [{ index: 0, delta, finish_reason }],
				usage,
			},
		});
		const calls = deeds.some(({ kind }) => kind === "tool");
		return [
			chunk({ role: "assistant", content: "" }),
			...deeds.flatMap((deed): Part[] => {
				if (deed.kind === "pause") return [{ pauseMs: deed.ms }];
				if (deed.kind === "text") return [chunk({ content: deed.text })];
				if (deed.kind === "status") return [];
				const call = {
					index: 0,
					id: `call_${randomUUID()}`,
					type: "function",
					function: { name: deed.name, arguments: JSON.stringify(deed.args) },
				};
				return [chunk({ tool_calls: [call] })];
			}),
			chunk({}, calls ? "tool_calls" : "stop", { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }),
			{ data: "[DONE]" },
		];
	},
};

/** Anthropic's messages, which Claude Code takes. */
const messages: ModelApi = {
	matches: (path) => /\/v1\/messages(\?|$)/.test(path),
	read(body) {
		const block = z.object({ type: z.string(), text: z.string().optional(), content }).loose();
		const { messages: given, tools } = z
			.object({
				messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(block)]) }).loose()),
				tools: z.array(named).optional(),
			})
			.parse(body);
		const turns = given.flatMap(({ role, content }) => {
			const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
			return blocks.map((one) => ({
				by: one.type === "tool_result" ? ("tool" as const) : role === "user" ? ("user" as const) : ("assistant" as const),
				text: one.text ?? ("content" in one ? textOf(one.content) : ""),
			}));
		});
		const images = given.flatMap(({ content }) => (typeof content === "string" ? [] : content)).filter(({ type }) => type === "image");
		return { turns, tools: (tools ?? []).map(({ name }) => name), images: images.length };
	},
	write(deeds) {
		const event = (data: { type: string; [field: string]: unknown }) => ({ event: data.type, data });
		const message = { id: `msg_${randomUUID()}`, type: "message", role: "assistant", model: "scripted", content: [], stop_reason: null };
		let index = -1;
		const blocks = deeds.flatMap((deed): Part[] => {
			if (deed.kind === "pause") return [{ pauseMs: deed.ms }];
			if (deed.kind === "status") return [];
			index += 1;
			const isText = deed.kind === "text";
			const content_block = isText
				? { type: "text", text: "" }
				: { type: "tool_use", id: `toolu_${randomUUID().replaceAll("-", "")}`, name: deed.name, input: {} };
			const delta = isText
				? { type: "text_delta", text: deed.text }
				: { type: "input_json_delta", partial_json: JSON.stringify(deed.args) };
			return [
				event({ type: "content_block_start", index, content_block }),
				event({ type: "content_block_delta", index, delta }),
				event({ type: "content_block_stop", index }),
			];
		});
		const stop_reason = deeds.some(({ kind }) => kind === "tool") ? "tool_use" : "end_turn";
		return [
			event({ type: "message_start", message: { ...message, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 } } }),
			...blocks,
			event({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } }),
			event({ type: "message_stop" }),
		];
	},
};

/** Tools may stand in a namespace; one of type `custom` takes a text. */
const responsesTool = z.object({ type: z.string(), name: z.string().optional(), tools: z.array(named).optional() }).loose();
const namesOf = ({ type, name, tools }: z.infer<typeof responsesTool>): string[] =>
	type === "namespace" ? (tools ?? []).map((tool) => `${name}__${tool.name}`) : [name ?? type];

function responsesCall({ name, args }: Extract<Deed, { kind: "tool" }>): object {
	if (name === "apply_patch") return { type: "custom_tool_call", name, input: String(args.input) };
	const [, namespace, tool] = /^(mcp__.+?)__(\w+)$/.exec(name) ?? [];
	const call = { type: "function_call", arguments: JSON.stringify(args) };
	return namespace === undefined ? { ...call, name } : { ...call, namespace, name: tool };
}

/** OpenAI's responses, which Codex takes. */
const responses: ModelApi = {
	matches: (path) => path.endsWith("/responses"),
	read(body) {
		const { input, tools } = z
			.object({
				input: z.array(z.object({ type: z.string().optional(), role: z.string().optional(), content, output: content }).loose()),
				tools: z.array(responsesTool).optional(),
			})
			.parse(body);
		const turns = input.map(({ type, role, content, output }) => ({
			by: type?.endsWith("_output") ? ("tool" as const) : role === "user" ? ("user" as const) : ("assistant" as const),
			text: textOf(content ?? output),
		}));
		const images = sum(input.map(({ content }) => picturesIn(content)));
		return { turns, tools: (tools ?? []).flatMap(namesOf), images };
	},
	write(deeds) {
		const event = (data: { type: string; [field: string]: unknown }) => ({ event: data.type, data });
		const response = { id: `resp_${randomUUID()}`, object: "response", model: "scripted", output: [] };
		const usage = { input_tokens: 10, input_tokens_details: null, output_tokens: 5, output_tokens_details: null, total_tokens: 15 };
		let index = -1;
		const items = deeds.flatMap((deed): Part[] => {
			if (deed.kind === "pause") return [{ pauseMs: deed.ms }];
			if (deed.kind === "status") return [];
			index += 1;
			const id = `item_${randomUUID()}`;
			if (deed.kind === "tool") {
				const item = { id, call_id: `call_${randomUUID()}`, ...responsesCall(deed) };
				return [event({ type: "response.output_item.done", output_index: index, item })];
			}
			const item = { type: "message", id, role: "assistant", content: [{ type: "output_text", text: deed.text }] };
			return [
				event({ type: "response.output_item.added", output_index: index, item: { ...item, content: [] } }),
				event({ type: "response.output_text.delta", item_id: id, output_index: index, content_index: 0, delta: deed.text }),
				event({ type: "response.output_item.done", output_index: index, item }),
			];
		});
		return [
			event({ type: "response.created", response }),
			...items,
			event({ type: "response.completed", response: { ...response, usage } }),
		];
	},
};

/** Google's generateContent, which Gemini takes. */
const gemini: ModelApi = {
	matches: (path) => /:(?:streamG|g)enerateContent/.test(path),
	read(body) {
		const { contents, tools } = z
			.object({
				contents: z.array(
					z.object({ role: z.string().optional(), parts: z.array(z.object({ text: z.string().optional() }).loose()) }).loose(),
				),
				tools: z.array(z.object({ functionDeclarations: z.array(named).optional() }).loose()).optional(),
			})
			.parse(body);
		const turns = contents.flatMap(({ role, parts }) =>
			parts.map((one) => ({
				by: "functionResponse" in one ? ("tool" as const) : role === "model" ? ("assistant" as const) : ("user" as const),
				text: one.text ?? JSON.stringify(one.functionResponse ?? ""),
			})),
		);
		return {
			turns,
			tools: (tools ?? []).flatMap(({ functionDeclarations }) => (functionDeclarations ?? []).map(({ name }) => name)),
			images: contents.flatMap(({ parts }) => parts).filter((one) => "inlineData" in one).length,
		};
	},
	write(deeds) {
		const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
		const chunk = (parts: object[], finishReason?: string) => ({
			data: { candidates: [{ index: 0, content: { role: "model", parts }, finishReason }], usageMetadata, modelVersion: "scripted" },
		});
		const chunks = deeds.flatMap((deed): Part[] => {
			if (deed.kind === "pause") return [{ pauseMs: deed.ms }];
			if (deed.kind === "status") return [];
			return [chunk([deed.kind === "text" ? { text: deed.text } : { functionCall: { name: deed.name, args: deed.args } }])];
		});
		return [...chunks, chunk([], "STOP")];
	},
};

export const MODEL_APIS: readonly ModelApi[] = [chat, messages, responses, gemini];
