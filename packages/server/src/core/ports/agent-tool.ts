/** A tool that the agent may call and that runs here. */
export interface AgentTool {
	readonly name: string;
	readonly description: string;
	/** JSON schema of the arguments, for the model. The tool validates what it gets itself. */
	readonly parameters: Record<string, unknown>;
	/** Never rejects for reasons the model can act on: those are results with `ok: false`. */
	run(args: unknown, call: ToolCall): Promise<ToolResult>;
}

/** One call of a tool, as long as its `run` has not settled. */
export interface ToolCall {
	toolCallId: string;
	/** Aborts when the turn is stopped; never after `run` has settled. */
	signal: AbortSignal;
	/** Live output for people who watch; bounded and cleaned by the tool. */
	output(text: string): void;
	/** Runs the command in a shell that nobody has changed and in exactly this folder, a real path, or not at all: a rule was compared with that. */
	freshIn?: string | undefined;
}

/** What the model reads; `ok` says whether the tool did what it was asked. */
export interface ToolResult {
	ok: boolean;
	/** For the model; well-formed, cleaned, at most 30,000 characters. */
	text: string;
}
