/** What the demo pilot reads of an OpenAI chat-completions request. */
export interface ChatRequest {
	/** What the person asked last, without what the runtime puts around it. */
	prompt: string;
	/** Tool calls since then, with their results, oldest first. */
	calls: { name: string; arguments: Record<string, unknown>; result: string }[];
	/** The person was told something since the prompt. */
	spoken: boolean;
	tools: string[];
	promptChars: number;
	stream: boolean;
	model: string;
}

/** Never throws: whatever is missing or of a wrong shape counts as empty. */
export function readChatRequest(body: unknown): ChatRequest {
	const root = asRecord(body);
	const messages = asList(root.messages).map(asRecord);
	const lastUser = messages.findLastIndex(({ role }) => role === "user");
	const since = messages.slice(lastUser + 1);
	const results = new Map(
		since.filter(({ role }) => role === "tool").map((message) => [String(message.tool_call_id), contentText(message.content)]),
	);
	const calls = since
		.flatMap((message) => asList(message.tool_calls).map(asRecord))
		.filter(({ id }) => results.has(String(id)))
		.map((call) => {
			const fn = asRecord(call.function);
			return { name: String(fn.name ?? ""), arguments: parseArguments(fn.arguments), result: results.get(String(call.id)) ?? "" };
		});
	return {
		prompt: cleanPrompt(contentText(asRecord(messages[lastUser]).content)),
		calls,
		spoken: since.some(({ role, content }) => role === "assistant" && contentText(content) !== ""),
		tools: asList(root.tools).map((tool) => String(asRecord(asRecord(tool).function).name ?? "")),
		promptChars: messages.reduce((sum, { content }) => sum + contentText(content).length, 0),
		stream: root.stream === true,
		model: typeof root.model === "string" ? root.model : "demo-pilot",
	};
}

function cleanPrompt(text: string): string {
	return text.replace(/<(current_datetime|reminder|system_reminder|tagged_files|system_notification)>[\s\S]*?<\/\1>/g, "").trim();
}

function contentText(content: unknown): string {
	if (typeof content === "string") return content;
	return asList(content)
		.map((part) => String(asRecord(part).text ?? ""))
		.join("");
}

function parseArguments(text: unknown): Record<string, unknown> {
	try {
		return asRecord(JSON.parse(String(text)));
	} catch {
		return {};
	}
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
