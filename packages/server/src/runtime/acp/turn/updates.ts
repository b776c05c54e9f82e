import type { PlanEntry } from "@rightseat/protocol/model/turn";
import { fieldsOf, listOf, numberOf, textOf, wordOf } from "../fields.ts";

/** What an agent reports in `session/update`, as far as we know it; everything else is `other`. */
export type SessionUpdate =
	| { kind: "text" | "thought"; messageId: string | undefined; text: string; usage: Tokens | undefined }
	| { kind: "tool"; report: ToolReport }
	| { kind: "plan"; entries: PlanEntry[] }
	| { kind: "title"; title: string }
	| { kind: "context"; used: number | undefined; size: number | undefined; cost: number | undefined }
	| { kind: "options"; options: unknown }
	| { kind: "mode"; modeId: string }
	| { kind: "commands"; names: string[] }
	| { kind: "other" };

export interface Tokens {
	input: number;
	output: number;
}

/** What one message says about a tool call; undefined: nothing about that. */
export interface ToolReport {
	toolCallId: string;
	title: string | undefined;
	/** The tool's own name where the agent tells it. */
	name: string | undefined;
	/** `execute`, `edit`, `read`, … */
	kind: string | undefined;
	status: "pending" | "in_progress" | "completed" | "failed" | undefined;
	input: unknown;
	/** All that it has put out so far. */
	output: string | undefined;
	/** What it has put out since the last report. */
	delta: string | undefined;
	diffs: Diff[];
}

export interface Diff {
	path: string;
	oldText?: string;
	newText: string;
}

/** One `update` of `session/update`. Never throws, whatever comes. */
export function readUpdate(raw: unknown): SessionUpdate {
	const update = fieldsOf(raw);
	switch (update.sessionUpdate) {
		case "agent_message_chunk":
		case "agent_thought_chunk":
			return {
				kind: update.sessionUpdate === "agent_message_chunk" ? "text" : "thought",
				messageId: wordOf(update.messageId),
				text: textOf(fieldsOf(update.content).text) ?? "",
				usage: readTokens(fieldsOf(update._meta).usage),
			};
		case "tool_call":
		case "tool_call_update": {
			const report = readToolReport(update);
			return report === undefined ? { kind: "other" } : { kind: "tool", report };
		}
		case "plan":
			return { kind: "plan", entries: readPlan(update.entries) };
		case "session_info_update": {
			const title = wordOf(update.title);
			return title === undefined ? { kind: "other" } : { kind: "title", title: title.slice(0, MAX_TITLE_CHARS).toWellFormed() };
		}
		case "usage_update":
			return { kind: "context", used: numberOf(update.used), size: numberOf(update.size), cost: numberOf(fieldsOf(update.cost).amount) };
		case "config_option_update":
		case "config_options_update":
			return { kind: "options", options: update.configOptions };
		case "current_mode_update": {
			const modeId = wordOf(update.currentModeId);
			return modeId === undefined ? { kind: "other" } : { kind: "mode", modeId };
		}
		case "available_commands_update":
			return { kind: "commands", names: readCommands(update.availableCommands) };
		default:
			return { kind: "other" };
	}
}

/** The tool call of an update or of a permission request; undefined without an id. */
export function readToolReport(raw: unknown): ToolReport | undefined {
	const call = fieldsOf(raw);
	const toolCallId = wordOf(call.toolCallId)?.slice(0, MAX_ID_CHARS);
	if (toolCallId === undefined) return undefined;
	const meta = fieldsOf(call._meta);
	const content = listOf(call.content).map(fieldsOf);
	const texts = content.flatMap(({ type, content: inner }) => (type === "content" ? (textOf(fieldsOf(inner).text) ?? []) : []));
	return {
		toolCallId,
		title: wordOf(call.title)?.slice(0, MAX_TITLE_CHARS),
		name: wordOf(call.name) ?? wordOf(meta.toolName) ?? wordOf(fieldsOf(meta.claudeCode).toolName),
		kind: wordOf(call.kind),
		status: STATUSES.find((status) => status === call.status),
		input: isEmpty(call.rawInput) ? undefined : call.rawInput,
		output: texts.length > 0 ? texts.join("\n") : outputOf(call.rawOutput),
		delta: textOf(fieldsOf(meta.terminal_output_delta).data) ?? textOf(fieldsOf(meta.terminal_output).data),
		diffs: content.flatMap(readDiff),
	};
}

const STATUSES = ["pending", "in_progress", "completed", "failed"] as const;
const MAX_TITLE_CHARS = 500;
const MAX_ID_CHARS = 500;
const MAX_PLAN_ENTRIES = 200;
const MAX_PLAN_CHARS = 2_000;
const MAX_COMMANDS = 2_000;

const isEmpty = (value: unknown) => value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

function outputOf(raw: unknown): string | undefined {
	if (typeof raw === "string") return raw.toWellFormed();
	const { output, stdout, error } = fieldsOf(raw);
	return textOf(output) ?? textOf(stdout) ?? textOf(error);
}

function readDiff({ type, path, oldText, newText }: Record<string, unknown>): Diff[] {
	const [where, after, before] = [textOf(path), textOf(newText), textOf(oldText)];
	if (type !== "diff" || where === undefined || after === undefined) return [];
	return [before === undefined ? { path: where, newText: after } : { path: where, oldText: before, newText: after }];
}

function readPlan(raw: unknown): PlanEntry[] {
	return listOf(raw)
		.slice(0, MAX_PLAN_ENTRIES)
		.flatMap((item): PlanEntry[] => {
			const entry = fieldsOf(item);
			const content = textOf(entry.content)?.slice(0, MAX_PLAN_CHARS).toWellFormed();
			if (content === undefined) return [];
			const status = PLAN_STATUSES.find((known) => known === entry.status) ?? "pending";
			const priority = PRIORITIES.find((known) => known === entry.priority);
			return [priority === undefined ? { content, status } : { content, status, priority }];
		});
}

const PLAN_STATUSES = ["pending", "in_progress", "completed"] as const;
const PRIORITIES = ["high", "medium", "low"] as const;

function readCommands(raw: unknown): string[] {
	return listOf(raw)
		.slice(0, MAX_COMMANDS)
		.flatMap((item) => wordOf(fieldsOf(item).name) ?? []);
}

/** Tokens as agents spell them. */
export function readTokens(raw: unknown): Tokens | undefined {
	const usage = fieldsOf(raw);
	const input = numberOf(usage.inputTokens) ?? numberOf(usage.input_tokens) ?? numberOf(usage.promptTokens);
	const output = numberOf(usage.outputTokens) ?? numberOf(usage.output_tokens) ?? numberOf(usage.completionTokens);
	return input === undefined && output === undefined ? undefined : { input: input ?? 0, output: output ?? 0 };
}
