import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { RuntimeHealth } from "../../../core/ports/agent-runtime.ts";
import { type Agents, COPILOT_AGENT } from "../../../core/ports/agents.ts";
import type { Jobs } from "../../../core/ports/shell.ts";
import type { ChatBinding, ChatBindings } from "../chats/chat-bindings.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Messages } from "../messages/messages.ts";
import { oneLine } from "../render/status-text.ts";
import type { Buttons } from "./buttons.ts";

const MAX_LISTED = 12;

/** Commands that tell what is going on. */
export interface StatusCommands {
	status(thread: ChatThread): Promise<void>;
	processes(thread: ChatThread): Promise<void>;
}

export function createStatusCommands(deps: {
	conversations: Pick<EveryConversations, "get" | "queue">;
	agents: Pick<Agents, "default" | "list" | "find">;
	jobs: Pick<Jobs, "jobs">;
	/** This host of the fleet is not there now. */
	isAway: (host: string) => boolean;
	bindings: Pick<ChatBindings, "find">;
	buttons: Pick<Buttons, "make">;
	speaker: Speaker;
	clock: Clock;
}): StatusCommands {
	const { conversations, bindings, buttons, speaker, clock } = deps;

	async function conversationLines({ entry, view }: ChatBinding, words: Messages): Promise<string[]> {
		const { title, host } = conversations.get(entry.conversationId);
		const since = view.startedAt();
		if (host !== undefined && deps.isAway(host.id)) return [words.titled(oneLine(title, 80)), words.hostAway(host.name)];
		const queue = conversations.queue(entry.conversationId);
		const queued = (queue instanceof Promise ? await queue : queue).length;
		const state = view.isAsking() ? "asking" : view.isRunning() ? "working" : "idle";
		return [
			words.titled(oneLine(title === "" ? words.newConversation : title, 80)),
			words.stateLine(state, since === undefined ? undefined : words.elapsed(clock.now() - since), queued),
			words.modelLine(entry.model === "" ? words.ownModel : entry.model),
			words.directoryLine(entry.workingDirectory),
			...(host === undefined ? [] : [words.hostLine(host.name)]),
		];
	}

	return {
		async status(thread) {
			const words = speaker.words(thread);
			const shown = bindings.find(thread);
			if (shown !== undefined && splitRemoteId(shown.entry.conversationId) !== undefined) {
				speaker.say(thread, (await conversationLines(shown, words)).join("\n"));
				return;
			}
			const agent = shown === undefined ? deps.agents.default() : conversations.get(shown.entry.conversationId).agent;
			const { state, provider, code = "", message, params } = deps.agents.find(agent)?.health() ?? notConfigured(agent);
			const problem = message === undefined ? undefined : words.error({ code, message, params });
			const lines = shown === undefined ? [words.noConversation] : await conversationLines(shown, words);
			const name = deps.agents.list().find(({ id }) => id === agent)?.name ?? agent;
			const line =
				agent === COPILOT_AGENT
					? words.agentLine(state, provider === "demo", problem)
					: words.otherAgentLine(oneLine(name, 60), state, problem);
			speaker.say(thread, [...lines, line].join("\n"));
		},
		async processes(thread) {
			const { chatId } = thread;
			const words = speaker.words(thread);
			const shown = bindings.find(thread);
			const known = shown === undefined ? [] : await deps.jobs.jobs(shown.entry.conversationId);
			const running = known.filter((job) => job.status === "running");
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
				...commands.map((execId) => [buttons.make(chatId, words.endCommand, { kind: "kill-exec", execId, conversationId })]),
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
