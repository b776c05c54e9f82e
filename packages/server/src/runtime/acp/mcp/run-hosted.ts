import { setMaxListeners } from "node:events";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { AgentTool, ToolResult } from "../../../core/ports/agent-tool.ts";
import type { HostedCall, OpenTools } from "./tool-server.ts";

export interface RunHosted {
	tool: AgentTool;
	args: unknown;
	meta: Record<string, unknown>;
	/** Aborts when the agent, or the end of its process, takes the call back. */
	stop: AbortSignal;
	host: OpenTools["onCall"];
	logger: Logger;
}

/** Runs one call in the turn that it belongs to: permitted first, stopped with the turn. Never rejects; its host hears of the end exactly once. */
export async function runHosted(call: RunHosted): Promise<ToolResult> {
	const { tool, logger } = call;
	try {
		const hosted = await call.host({ toolName: tool.name, arguments: call.args, meta: call.meta });
		if (hosted === undefined) return refusal("The turn that asked for this is over.");
		const result = await runInTurn(call, hosted);
		hosted.ended(result);
		return result;
	} catch (error) {
		logger.error({ tool: tool.name, err: String(error) }, "A call of a tool could not be shown");
		return refusal(`The tool ${tool.name} failed unexpectedly.`);
	}
}

async function runInTurn(call: RunHosted, hosted: HostedCall): Promise<ToolResult> {
	const { tool, args, logger } = call;
	const { toolCallId } = hosted;
	const stop = new AbortController();
	const onAbort = () => stop.abort();
	const signals = [call.stop, hosted.signal];
	// As many listeners as tools that run at once; each goes with its tool.
	setMaxListeners(0, ...signals);
	for (const signal of signals) signal.addEventListener("abort", onAbort, { once: true });
	if (signals.some((signal) => signal.aborted)) stop.abort();
	try {
		if (stop.signal.aborted) return refusal(STOPPED);
		const decision = await hosted.permit(stop.signal);
		if (decision.kind === "reject") return refusal(decision.feedback.trim() || "The user did not allow this. Ask what to do instead.");
		// The turn may have ended while somebody made up their mind.
		if (stop.signal.aborted) return refusal(STOPPED);
		const output = (text: string) => hosted.output(text.toWellFormed());
		const { ok, text } = await tool.run(args, { toolCallId, signal: stop.signal, output });
		return { ok, text: text.toWellFormed() };
	} catch (error) {
		logger.error({ tool: tool.name, toolCallId, err: String(error) }, "A tool failed unexpectedly");
		return refusal(`The tool ${tool.name} failed unexpectedly: ${error instanceof Error ? error.message.toWellFormed() : "unknown error"}`);
	} finally {
		// Whoever aborts later, as some clients do after every finished call, must not kill what was just sent to the background.
		for (const signal of signals) signal.removeEventListener("abort", onAbort);
	}
}

const STOPPED = "The call was stopped before it began.";

const refusal = (text: string): ToolResult => ({ ok: false, text });
