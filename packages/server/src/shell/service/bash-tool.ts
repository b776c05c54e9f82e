import { setMaxListeners } from "node:events";
import * as z from "zod/mini";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { AgentTool, ToolCall, ToolResult } from "../../core/ports/agent-tool.ts";
import { endJob, type ForegroundDeps, runForeground } from "./foreground.ts";
import { OUTPUT_CHARS, outcomeText } from "./result-text.ts";
import { parseArguments } from "./tool-arguments.ts";

export const DEFAULT_TIMEOUT_MS = 120_000;
export const MAX_TIMEOUT_MS = 600_000;
const MAX_COMMAND_CHARS = 1_000_000;
/** Commands of one conversation that may run at the same time while somebody waits for them. */
export const MAX_WAITED_PER_CONVERSATION = 32;

const schema = z.object({
	command: z.optional(z.string()),
	timeout: z.optional(z.number("timeout must be a number of milliseconds")),
	description: z.optional(z.string()),
	run_in_background: z.optional(z.boolean()),
	on_timeout: z.optional(z.enum(["kill", "background"])),
	restart: z.optional(z.boolean()),
});
type Arguments = z.infer<typeof schema>;

export interface BashToolDeps extends ForegroundDeps {
	conversation: ConversationId;
	defaultCwd: string;
	cwd(): string;
	restart(): void;
}

/** `Bash`: runs a command in the conversation's shell, for the agent. */
export function createBashTool(deps: BashToolDeps): AgentTool {
	return {
		name: "Bash",
		description: DESCRIPTION,
		parameters: PARAMETERS,
		async run(args, call) {
			const parsed = parseArguments("Bash", schema, args);
			if (!parsed.ok) return parsed.result;
			const checked = check(parsed.value);
			if (!checked.ok) return checked.result;
			if (call.signal.aborted) return { ok: false, text: "[stopped by the user before it started]" };
			if (parsed.value.restart === true) deps.restart();
			if (checked.command === "")
				return { ok: true, text: "[the shell was started anew: variables, functions, aliases, options and directory are forgotten]" };
			if (parsed.value.run_in_background === true) return runInBackground(deps, parsed.value, checked, call);
			return runAndWait(deps, parsed.value, checked, call);
		},
	};
}

interface Checked {
	ok: true;
	command: string;
	timeoutMs: number | undefined;
	extra: string[];
}

function check(args: Arguments): Checked | { ok: false; result: ToolResult } {
	const refuse = (text: string) => ({ ok: false as const, result: { ok: false, text } });
	const command = args.command ?? "";
	if (command.trim() === "" && args.restart !== true) return refuse("Bash: command is empty. Give the command to run.");
	if (command.includes("\0")) return refuse("Bash: the command holds a NUL character. Remove it.");
	if (command.length > MAX_COMMAND_CHARS)
		return refuse(`Bash: the command is longer than ${MAX_COMMAND_CHARS} characters. Write it to a file and run that.`);
	const { timeout } = args;
	if (timeout === undefined) return { ok: true, command, timeoutMs: undefined, extra: [] };
	if (!Number.isFinite(timeout) || timeout < 1) return refuse(`Bash: timeout must be between 1 and ${MAX_TIMEOUT_MS} milliseconds.`);
	const extra = timeout > MAX_TIMEOUT_MS ? [`[timeout was lowered to the maximum of ${MAX_TIMEOUT_MS} ms]`] : [];
	return { ok: true, command, timeoutMs: Math.min(Math.round(timeout), MAX_TIMEOUT_MS), extra };
}

async function runAndWait(
	deps: BashToolDeps,
	args: Arguments,
	{ command, timeoutMs = DEFAULT_TIMEOUT_MS, extra }: Checked,
	call: ToolCall,
): Promise<ToolResult> {
	const { conversation, commands } = deps;
	const unread = deps.registry.unreadable(conversation);
	if (unread !== undefined) return { ok: false, text: unread };
	if (commands.running(conversation) >= MAX_WAITED_PER_CONVERSATION)
		return { ok: false, text: `${MAX_WAITED_PER_CONVERSATION} commands already run in this conversation. Wait for some of them to end.` };
	const running = runForeground(deps, {
		conversation,
		command,
		...placeOf(deps, call),
		timeoutMs,
		onTimeout: args.on_timeout ?? "kill",
		want: "model",
		limit: OUTPUT_CHARS,
		description: args.description,
		onLive: (text) => call.output(text),
	});
	const abort = () => running.kill();
	// As many listeners as commands that share the signal; each goes with its command.
	setMaxListeners(0, call.signal);
	call.signal.addEventListener("abort", abort, { once: true });
	try {
		return outcomeText(await running.done, { command, timeoutMs, extra, isStopped: () => call.signal.aborted });
	} finally {
		// The signal fires again after a normal end; a command that just moved to the background would die of it.
		call.signal.removeEventListener("abort", abort);
	}
}

/** Where and in which shell it runs. */
const placeOf = ({ cwd, defaultCwd }: BashToolDeps, { freshIn }: ToolCall) => ({
	cwd: freshIn ?? cwd(),
	fallbackCwd: defaultCwd,
	fresh: freshIn !== undefined,
});

function runInBackground(deps: BashToolDeps, args: Arguments, { command, timeoutMs, extra }: Checked, call: ToolCall): Promise<ToolResult> {
	const { conversation, registry, commands } = deps;
	const refusal = registry.refusal(conversation);
	if (refusal !== undefined) return Promise.resolve({ ok: false, text: refusal });
	return new Promise((resolve) => {
		const key = commands.run(
			{
				conversation,
				command,
				...placeOf(deps, call),
				timeoutMs: timeoutMs ?? null,
				onTimeout: "kill",
				background: true,
				want: "model",
				limit: OUTPUT_CHARS,
			},
			{
				started(pid) {
					registry.update(job, { pid });
					const { bashId } = job.job;
					const lines = [
						...extra,
						`bash_id: ${bashId}`,
						`[running in the background as process ${pid}. Read its output with BashOutput, end it with KillBash. It does not change directory or variables of the shell.]`,
					];
					resolve({ ok: true, text: lines.join("\n") });
				},
				end(end) {
					endJob(registry, job, end);
					// Only matters if it could not even start.
					resolve({ ok: false, text: end.output });
				},
				watch: ({ ports, tail }) => registry.update(job, { ports, tail }),
				lost(reason) {
					registry.end(job, { status: "lost", exitCode: null });
					resolve({ ok: false, text: `[the shell process failed (${reason}); try again]` });
				},
			},
		);
		const job = registry.add(conversation, { key, command, description: args.description });
	});
}

const DESCRIPTION = `Runs a command with bash. Variables, functions, aliases, options and the current directory are kept between calls and shared with what the user runs.
stdin is empty and there is no terminal: use flags that need no answers. Output of stdout and stderr comes in one stream, without colours, at most 30,000 characters (beginning and end); longer output is saved to a file that is named in the result.
Use run_in_background for servers and anything long; read it with BashOutput and end it with KillBash. Prefer specialised tools for reading, searching and editing files.`;

const PARAMETERS = {
	type: "object",
	properties: {
		command: { type: "string", description: "The command. Several lines are fine." },
		timeout: {
			type: "number",
			description: `Milliseconds until it is ended; default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}. In the background: none by default.`,
		},
		description: { type: "string", description: "What it does, in five to ten words, for the user." },
		run_in_background: { type: "boolean", description: "Return at once with a bash_id." },
		on_timeout: {
			type: "string",
			enum: ["kill", "background"],
			description: "What to do when the time is up: end it (default) or let it go on in the background.",
		},
		restart: {
			type: "boolean",
			description: "Forget variables, functions, aliases, options and directory first. Works without a command too.",
		},
	},
	required: ["command"],
};
