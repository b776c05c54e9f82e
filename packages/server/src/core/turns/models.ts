import type { EventData } from "@rightseat/protocol/events/event";
import { cutText } from "@rightseat/protocol/text";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import { AppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import type { EventLog } from "../log/event-log.ts";
import { type Agents, COPILOT_AGENT } from "../ports/agents.ts";
import type { ConversationRow, ConversationStore } from "../ports/store.ts";
import { requireAgent } from "./require-agent.ts";

/** Which model a conversation may use: every agent has its own. */
export interface Models {
	/** Rejects with `unknown-model` when the agent does not have it, with `unknown-agent` when there is no such agent. */
	check(agent: string, model: string): Promise<void>;
	/** For a new conversation; empty: the agent's own choice. Rejects with `unknown-agent`. */
	default(agent: string): Promise<string>;
	/** The conversation's model, or the agent's default one, for good, when the agent's list no longer has it. */
	usable(conversation: Pick<ConversationRow, "id" | "agent" | "model">): Promise<string>;
}

/** Asks the agent every time; its runtime caches. */
export function createModels(deps: {
	agents: Pick<Agents, "find">;
	conversations: Pick<ConversationStore, "update">;
	log: Pick<EventLog, "append">;
	changes: Pick<ConversationChanges, "updated">;
	logger: Logger;
	/** Of Copilot; what another agent takes is its own business. */
	defaultModel(): string | undefined;
}): Models {
	return {
		async check(agent, model) {
			const runtime = requireAgent(deps.agents, agent);
			const list = await runtime.listModels();
			// An agent that cannot be asked, or names no models, leaves the choice to the person.
			if (list.state === "listed" && !list.models.some((candidate) => candidate.id === model)) throw unknownModel(model);
			if (list.state === "unlisted" && !runtime.capabilities().models) throw noChoice(agent);
		},
		async default(agent) {
			const runtime = requireAgent(deps.agents, agent);
			const configured = agent === COPILOT_AGENT ? deps.defaultModel() : undefined;
			return configured ?? (await runtime.listModels()).default;
		},
		async usable({ id, agent, model }) {
			// The agent's own choice is always there.
			if (model === "") return model;
			const list = await requireAgent(deps.agents, agent)
				.listModels()
				.catch((error: unknown) => {
					deps.logger.warn({ err: error, conversationId: id }, "The models could not be listed before a turn");
					return undefined;
				});
			// A list that could not be had says nothing: a moment without network must not change a conversation for good.
			// The turn itself tells people what is wrong with the provider, if it is still wrong then.
			if (list?.state !== "listed" || list.models.some((candidate) => candidate.id === model)) return model;
			const { default: fallback } = list;
			deps.conversations.update(id, { model: fallback });
			deps.log.append(id, { type: "copilot:notice", data: modelReplaced(model, fallback) });
			deps.changes.updated(id);
			return fallback;
		},
	};
}

function modelReplaced(model: string, fallback: string): EventData<"copilot:notice"> {
	const code = "model-replaced";
	const gone = `The model “${model}” is not there any more`;
	if (fallback === "") return { code, message: `${gone}; the agent takes its own.`, params: { reason: "own-choice", model } };
	return { code, message: `${gone}; “${fallback}” answers instead.`, params: { model, fallback } };
}

function unknownModel(given: string): AppError {
	const model = cutText(given, 80);
	return new AppError("unknown-model", `There is no model “${model}” here. GET /api/copilot/models lists the ones there are.`, {
		params: { reason: "not-listed", model },
	});
}

const noChoice = (agent: string) =>
	new AppError("unknown-model", `The agent “${agent}” has no models to choose from; it takes its own.`, {
		params: { reason: "no-choice", agent },
	});
