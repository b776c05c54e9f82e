import type { Conversations } from "../../../core/conversations/conversations.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { RuntimeHealth } from "../../../core/ports/agent-runtime.ts";
import { type Agents, COPILOT_AGENT } from "../../../core/ports/agents.ts";
import type { Shell } from "../../../core/ports/shell.ts";
import type { ChatBinding, ChatBindings } from "../chats/chat-bindings.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Messages } from "../messages/messages.ts";
import { oneLine } from "../render/status-text.ts";
import type { Buttons } from "./buttons.ts";

const MAX_LISTED = 12;

/** Commands that tell what is going on. */
export interface StatusCommands {
	status(thread: ChatThread): void;
	processes(thread: ChatThread): void;
}

export function createStatusCommands(deps: {
	conversations: Pick<Conversations, "get" | "queue">;
	agents: Pick<Agents, "default" | "list" | "find">;
	shell: Pick<Shell, "jobs">;
	bindings: Pick<ChatBindings, "find">;
	buttons: Pick<Buttons, "make">;
	speaker: Speaker;
	clock: Clock;
}): StatusCommands {
	const { conversations, bindings, buttons, speaker, clock } = deps;

	function conversationLines({ entry, view }: ChatBinding, words: Messages): string[] {
		const { title } = conversations.get(entry.conversationId);
		const since = view.startedAt();
		const queued = conversations.queue(entry.conversationId).length;
		const state = view.isAsking() ? "asking" : view.isRunning() ? "working" : "idle";
		return [
			words.titled(oneLine(title === "" ? words.newConversation : title, 80)),
			words.stateLine(state, since === undefined ? undefined : words.elapsed(clock.now() - since), queued),
			words.modelLine(entry.model === "" ? words.ownModel : entry.model),
			words.directoryLine(entry.workingDirectory),
		];
	}

	return {
		status(thread) {
			const words = speaker.words(thread);
			const shown = bindings.find(thread);
			const agent = shown === undefined ? deps.agents.default() : conversations.get(shown.entry.conversationId).agent;
			const { state, provider, code = "", message, params } = deps.agents.find(agent)?.health() ?? notConfigured(agent);
			const problem = message === undefined ? undefined : words.error({ code, message, params });
			const lines = shown === undefined ? [words.noConversation] : conversationLines(shown, words);
			const name = deps.agents.list().find(({ id }) => id === agent)?.name ?? agent;
			const line =
				agent === COPILOT_AGENT
					? words.agentLine(state, provider === "demo", problem)
					: words.otherAgentLine(oneLine(name, 60), state, problem);
			speaker.say(thread, [...lines, line].join("\n"));
		},
		processes(thread) {
			const { chatId } = thread;
			const words = speaker.words(thread);
			const shown = bindings.find(thread);
			const running = shown === undefined ? [] : deps.shell.jobs(shown.entry.conversationId).filter((job) => job.status === "running");
			const jobs = running.slice(0, MAX_LISTED);
			const commands = shown?.view.commands() ?? [];
			if (shown === undefined || jobs.length + commands.length === 0) {
				speaker.say(thread, words.noProcesses);
				return;
			}
			const { conversationId } = shown.entry;
			const lines = jobs.map(({ bashId, ports = [], startedAt, command }) => {
				const listening = ports.length === 0 ? "" : ` · ${words.port(ports.join(", "))}`;
				return `${bashId} · ${words.elapsed(clock.now() - Date.parse(startedAt))}${listening}\n  ${oneLine(command, 120)}`;
			});
			const keyboard = [
				...jobs.map(({ bashId }) => [buttons.make(chatId, words.endJob(bashId), { kind: "kill-job", conversationId, bashId })]),
				...commands.map((execId) => [buttons.make(chatId, words.endCommand, { kind: "kill-exec", execId })]),
			];
			speaker.say(thread, lines.length === 0 ? words.commandRuns : lines.join("\n"), { keyboard });
		},
	};
}

/** Of an agent that was taken out of the configuration since. */
function notConfigured(agent: string): RuntimeHealth {
	const message = `There is no agent “${agent}” here. Add it with RIGHTSEAT_AGENTS, or begin a conversation with another one.`;
	return { state: "missing", provider: "acp", code: "unknown-agent", message, params: { agent } };
}
