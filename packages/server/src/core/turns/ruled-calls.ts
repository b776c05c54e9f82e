import type { RuleGate } from "../asks/remembered/rule-gate.ts";
import { shownRule } from "../asks/remembered/rule-text.ts";
import { type Clock, isoTime } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { EventLog } from "../log/event-log.ts";
import type { AgentTool } from "../ports/agent-tool.ts";

/** The tool that runs commands; the others of the shell change nothing. */
export const COMMAND_TOOL = "Bash";

export interface RuledCallDeps {
	rules: Pick<RuleGate, "take">;
	log: Pick<EventLog, "append">;
	redactor: Redactor;
	clock: Clock;
}

/** A command that rules let through runs as it was compared with them, and whoever watches sees by which. */
export function ruledCalls(deps: RuledCallDeps, conversationId: ConversationId, tool: AgentTool): AgentTool {
	if (tool.name !== COMMAND_TOOL) return tool;
	return {
		...tool,
		run(args, call) {
			const { toolCallId } = call;
			const command = commandOf(args);
			const passed = command === undefined ? undefined : deps.rules.take(conversationId, { toolCallId, command });
			if (passed === undefined) return tool.run(args, call);
			if (passed.rules.length === 0) return tool.run(args, { ...call, freshIn: passed.cwd });
			const allowedBy = passed.rules.map(shownRule);
			const shown = { toolCallId, toolName: COMMAND_TOOL, arguments: deps.redactor.value(args), startedAt: isoTime(deps.clock.now()) };
			deps.log.append(conversationId, { type: "copilot:tool_start", data: { ...shown, allowedBy } });
			return tool.run(args, { ...call, freshIn: passed.cwd });
		},
	};
}

/** What a call of it wants to run. */
export const commandOf = (args: unknown): string | undefined =>
	typeof args === "object" && args !== null && "command" in args && typeof args.command === "string" ? args.command : undefined;
