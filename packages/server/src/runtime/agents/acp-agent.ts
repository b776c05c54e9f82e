import type { AppError } from "../../core/kernel/errors.ts";
import type { AgentRuntime, ModelList, RuntimeHealth, SessionChoices } from "../../core/ports/agent-runtime.ts";
import type { SeenAgents } from "../../core/ports/agents.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { agentMissing } from "./agent-missing.ts";

/** Whether the program of an agent is on this machine, as far as anybody looked. */
export type Presence =
	| { readonly state: "unknown" }
	| { readonly state: "found"; readonly version: string | null }
	/** `behind`: the agent itself is there, only the program that speaks ACP for it is not. */
	| { readonly state: "missing"; readonly behind: boolean };

export interface AcpAgentDeps {
	definition: AgentDefinition;
	/** Looks again where the program is and calls `place`. */
	look(): Promise<void>;
	/** Loads what drives agents over ACP, and makes the runtime of this one. Called once, at its first use. */
	load(definition: AgentDefinition): Promise<AgentRuntime>;
	/** How its last session had it. */
	seen: SeenAgents;
}

/** The runtime of an agent that speaks ACP. Until it is used it is no more than its definition. */
export interface AcpAgent extends AgentRuntime {
	readonly definition: AgentDefinition;
	presence(): Presence;
	place(presence: Presence): void;
	isLoaded(): boolean;
	/** Nothing is known of what it can. */
	isUntried(): boolean;
}

export function createAcpAgent({ definition, look, load, seen }: AcpAgentDeps): AcpAgent {
	const listeners = new Set<(health: RuntimeHealth) => void>();
	let presence: Presence = { state: "unknown" };
	let loading: Promise<AgentRuntime> | undefined;
	let loaded: AgentRuntime | undefined;
	let closed = false;

	function health(): RuntimeHealth {
		const of: RuntimeHealth = loaded?.health() ?? { state: closed ? "stopped" : "off", provider: "acp" };
		if (presence.state === "missing" && (of.state === "off" || of.state === "stopped"))
			return missingHealth(agentMissing(definition, presence));
		const version = of.version ?? (presence.state === "found" ? presence.version : null);
		return version === null || version === undefined ? of : { ...of, version };
	}

	/** What it offers now, else what it offered in its last session. */
	function choices(): SessionChoices | undefined {
		const before = () => {
			const found = seen.find(definition.id)?.choices;
			return found === undefined ? undefined : { ...found, isRemembered: true as const };
		};
		return loaded?.choices?.() ?? before();
	}

	/** What it can, as far as that is known before a session is open. */
	const expected = () => ({ ...(seen.find(definition.id)?.capabilities ?? definition.expected) });

	function tell(): void {
		const offered = loaded?.choices?.();
		if (loaded !== undefined && offered !== undefined) seen.keep(definition.id, { choices: offered, capabilities: loaded.capabilities() });
		const now = health();
		for (const listener of [...listeners]) listener(now);
	}

	function runtime(): Promise<AgentRuntime> {
		loading ??= load({ ...definition, expected: expected() }).then(
			(made) => {
				loaded = made;
				made.onHealth(tell);
				return made;
			},
			(error: unknown) => {
				// The next use tries again: it may have been a disk that did not answer.
				loading = undefined;
				throw error;
			},
		);
		return loading;
	}

	return {
		definition,
		presence: () => presence,
		place(next) {
			const told = () => JSON.stringify([health(), presence.state === "found"]);
			const before = told();
			presence = next;
			if (told() !== before) tell();
		},
		isLoaded: () => loaded !== undefined,
		capabilities: () => loaded?.capabilities() ?? expected(),
		isUntried: () => definition.isUnmeasured === true && choices() === undefined,
		listModels: async () => loaded?.listModels() ?? notOpenYet(definition),
		choices,
		async openSession(options) {
			if (presence.state !== "found") await look();
			if (presence.state === "missing") throw agentMissing(definition, presence);
			return (await runtime()).openSession(options);
		},
		async listSessions(page) {
			if (presence.state !== "found") await look();
			if (presence.state === "missing") throw agentMissing(definition, presence);
			return (await (await runtime()).listSessions?.(page)) ?? { sessions: [] };
		},
		async forkSession(fork) {
			if (presence.state !== "found") await look();
			if (presence.state === "missing") return undefined;
			return (await runtime()).forkSession?.(fork);
		},
		async deleteSession(sessionId) {
			if (presence.state === "missing" && loaded === undefined) return;
			await (await runtime()).deleteSession(sessionId);
		},
		health,
		onHealth(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		wake: () => loaded?.wake(),
		async close() {
			closed = true;
			const made = await loading?.catch(() => undefined);
			await made?.close();
		},
	};
}

const missingHealth = (error: AppError): RuntimeHealth => ({
	state: "missing",
	provider: "acp",
	message: error.message,
	code: error.code,
	...(error.params === undefined ? {} : { params: error.params }),
});

/** An agent names its models when a session is open; until then the choice is its own. */
const notOpenYet = ({ name }: AgentDefinition): ModelList => ({
	state: "unlisted",
	models: [],
	default: "",
	because: `${name} names its models when a conversation with it has begun.`,
});
