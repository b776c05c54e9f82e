import { setMaxListeners } from "node:events";
import type { Tool, ToolInvocation, ToolResultObject } from "@github/copilot-sdk";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { AgentTool } from "../../../core/ports/agent-tool.ts";
import { createRunOnce, type RunOnce } from "./run-once.ts";

/** The running turn, as a tool call sees it. */
export interface ToolHost {
	/** Aborts when the turn ends for any reason. */
	readonly signal: AbortSignal;
	output(toolCallId: string, text: string): void;
	/**
	 * Runs a call, shows it if the runtime does not, and keeps what the tool said word for word: the runtime's own event is censored. `stopped` aborts when
	 * only the sub-agent that made the call is stopped.
	 */
	call(
		call: { toolCallId: string; toolName: string; arguments: unknown },
		run: (stopped?: AbortSignal) => Promise<ToolResultObject>,
	): Promise<ToolResultObject>;
}

export interface SdkToolDeps {
	host(): ToolHost | undefined;
	once: Pick<RunOnce<ToolResultObject>, "run">;
	logger: Logger;
}

/** One of our tools as the SDK calls it; every call runs once, and never after its turn. */
export function toSdkTool(tool: AgentTool, deps: SdkToolDeps): Tool {
	return {
		name: tool.name,
		description: tool.description,
		parameters: tool.parameters,
		defer: "never",
		async handler(args, invocation): Promise<ToolResultObject> {
			const call = { toolCallId: invocation.toolCallId, toolName: tool.name, arguments: args };
			return deps.once.run(call, async () => {
				const host = deps.host();
				if (host === undefined) return failure("The turn that asked for this is over.");
				return host.call(call, (stopped) => runTool(tool, args, invocation, { host, stopped, logger: deps.logger }));
			});
		},
	};
}

async function runTool(
	tool: AgentTool,
	args: unknown,
	invocation: ToolInvocation,
	{ host, stopped, logger }: { host: ToolHost; stopped: AbortSignal | undefined; logger: Logger },
): Promise<ToolResultObject> {
	const { toolCallId } = invocation;
	const stop = new AbortController();
	const onAbort = () => stop.abort();
	const signals = [host.signal, invocation.signal, stopped].filter((signal) => signal !== undefined);
	// As many listeners as tools that run at once; each goes with its tool.
	setMaxListeners(0, ...signals);
	for (const signal of signals) signal.addEventListener("abort", onAbort, { once: true });
	if (signals.some((signal) => signal.aborted)) stop.abort();
	try {
		const result = await tool.run(args, {
			toolCallId,
			signal: stop.signal,
			output: (text) => host.output(toolCallId, text.toWellFormed()),
		});
		// A lone surrogate in a result makes the runtime hang.
		const text = result.text.toWellFormed();
		return result.ok ? { textResultForLlm: text, resultType: "success" } : failure(text);
	} catch (error) {
		logger.error({ tool: tool.name, toolCallId, err: String(error) }, "A tool failed unexpectedly");
		return failure(`The tool ${tool.name} failed unexpectedly: ${error instanceof Error ? error.message.toWellFormed() : "unknown error"}`);
	} finally {
		// The runtime aborts its signal after a normal return too; a listener left behind would kill what was just sent to the background.
		for (const signal of signals) signal.removeEventListener("abort", onAbort);
	}
}

/** The calls of one session, which outlive its turns: a second delivery may come after the turn. */
export const createToolCalls = (): RunOnce<ToolResultObject> =>
	createRunOnce({
		sizeOf: ({ textResultForLlm }) => 2 * textResultForLlm.length,
		forgotten: () => failure("This call has run already, and its result was delivered then."),
	});

const failure = (text: string): ToolResultObject => ({ textResultForLlm: text, resultType: "failure", error: text });
