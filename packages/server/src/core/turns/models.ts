import { cutText } from "@rightseat/protocol/text";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { EventLog } from "../log/event-log.ts";
import { type Agents, COPILOT_AGENT } from "../ports/agents.ts";
import type { ConversationStore } from "../ports/store.ts";
import { requireAgent } from "./require-agent.ts";

/** Which model a conversation may use. */
export interface Models {
	/** Rejects with `unknown-model` when the provider does not have it. */
	check(model: string): Promise<void>;
	/** For a new conversation. */
	default(): Promise<string>;
	/** The conversation's model, or the default one, for good, when the provider's list no longer has it. */
	usable(conversationId: ConversationId, model: string): Promise<string>;
}

/** Asks the provider every time; the runtime caches. */
export function createModels(deps: {
	agents: Pick<Agents, "find">;
	conversations: Pick<ConversationStore, "update">;
	log: Pick<EventLog, "append">;
	changes: Pick<ConversationChanges, "updated">;
	logger: Logger;
	defaultModel(): string | undefined;
}): Models {
	const listModels = async () => requireAgent(deps.agents, COPILOT_AGENT).listModels();
	return {
		async check(model) {
			const list = await listModels();
			// A provider that cannot be asked, or names no models, leaves the choice to the person.
			if (list.state === "listed" && !list.models.some((candidate) => candidate.id === model)) {
				throw unknownModel(cutText(model, 80));
			}
		},
		async default() {
			return deps.defaultModel() ?? (await listModels()).default;
		},
		async usable(conversationId, model) {
			const list = await listModels().catch((error: unknown) => {
				deps.logger.warn({ err: error, conversationId }, "The models could not be listed before a turn");
				return undefined;
			});
			// A list that could not be had says nothing: a moment without network must not change a conversation for good.
			// The turn itself tells people what is wrong with the provider, if it is still wrong then.
			if (list?.state !== "listed" || list.models.some((candidate) => candidate.id === model)) return model;
			const { default: fallback } = list;
			deps.conversations.update(conversationId, { model: fallback });
			const message = `The model “${model}” is not there any more; “${fallback}” answers instead.`;
			deps.log.append(conversationId, { type: "copilot:notice", data: { code: "model-replaced", message, params: { model, fallback } } });
			deps.changes.updated(conversationId);
			return fallback;
		},
	};
}

const unknownModel = (model: string) =>
	new AppError("unknown-model", `There is no model “${model}” here. GET /api/copilot/models lists the ones there are.`, {
		params: { reason: "not-listed", model },
	});
