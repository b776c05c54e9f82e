import { seenAgent } from "@rightseat/protocol/http/agents";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SeenAgent, SeenAgents } from "../../core/ports/agents.ts";
import type { SettingsStore } from "../../core/ports/store.ts";

/** What is larger is not kept: it would be read whenever somebody looks at the agents. */
export const MAX_SEEN_CHARS = 65_536;

/** What agents offer and can, as their last session had it, in the store; read once, and written when it changes. */
export function createSeenAgents(store: SettingsStore, logger: Logger): SeenAgents {
	/** As stored; null: nothing. As many as there are agents. */
	const known = new Map<string, string | null>();

	function read(agent: string): string | null {
		const found = known.get(agent);
		if (found !== undefined) return found;
		const text = store.get(keyOf(agent)) ?? null;
		known.set(agent, text);
		return text;
	}
	return {
		find(agent) {
			try {
				const text = read(agent);
				return text === null ? undefined : parse(text);
			} catch (error) {
				logger.warn({ err: error, agent }, "How an agent was last seen could not be read");
				return undefined;
			}
		},
		keep(agent, { choices: { modes, efforts }, capabilities }) {
			const text = JSON.stringify({ choices: { modes, efforts }, capabilities });
			try {
				if (text.length > MAX_SEEN_CHARS || text === read(agent)) return;
				store.set(keyOf(agent), text);
				known.set(agent, text);
			} catch (error) {
				logger.warn({ err: error, agent }, "How an agent was last seen could not be remembered");
			}
		},
	};
}

const keyOf = (agent: string) => `agent.seen.${agent}`;

/** Undefined when it is not what this version writes. */
function parse(text: string): SeenAgent | undefined {
	const stored = seenAgent.safeParse(JSON.parse(text));
	return stored.success ? stored.data : undefined;
}
