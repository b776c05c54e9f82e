import type { PermitDecision } from "../../../core/ports/agent-runtime.ts";
import type { AgentTool, ToolResult } from "../../../core/ports/agent-tool.ts";

/** Our tools for agents, as MCP over HTTP on loopback: one listener for the whole server. */
export interface ToolServer {
	/** Opens the tools for one process of one agent. */
	open(options: OpenTools): Promise<OpenedTools>;
	/** Ends what runs and listens no more. */
	close(): Promise<void>;
}

export interface OpenTools {
	tools: readonly AgentTool[];
	/** Called once for every valid call, before anything else happens with it. Resolves with undefined when no turn runs: the call is refused. */
	onCall(call: IncomingCall): Promise<HostedCall | undefined>;
}

/** A call as the agent makes it; `meta` may name the card that it belongs to. */
export interface IncomingCall {
	toolName: string;
	arguments: unknown;
	meta: Record<string, unknown>;
}

/** The card of a call, and the turn that it runs in. */
export interface HostedCall {
	toolCallId: string;
	/** Aborts when the turn ends for any reason. */
	signal: AbortSignal;
	/** Asked before the tool runs; a rejection's feedback is what the agent gets as the result, marked as an error. */
	permit(signal: AbortSignal): Promise<PermitDecision>;
	/** Live output, straight to the card. */
	output(text: string): void;
	/** How it ended, also when it was refused or stopped. Called once. */
	ended(result: ToolResult): void;
}

export interface OpenedTools {
	url: string;
	/** Goes into the header `Authorization: Bearer …`; worth nothing after `close`. */
	token: string;
	close(): void;
}
