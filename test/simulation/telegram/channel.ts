import { createTelegramChannel, type TelegramChannel } from "../../../packages/server/src/channels/telegram/create-telegram-channel.ts";
import type { Conversations } from "../../../packages/server/src/core/conversations/conversations.ts";
import { createSchedules } from "../../../packages/server/src/core/schedules/schedules.ts";
import { createCronerTimetable } from "../../../packages/server/src/services/timetable/croner-timetable.ts";
import { agentsOf } from "../../support/agents.ts";
import { storedMessages } from "../../support/stored-messages.ts";
import { type Life, lastMarker } from "../frame/life.ts";
import { ANN, type TelegramScene } from "./scene.ts";

/** The real channel on one process. Nobody sends files here. */
export function openChannel(
	life: Life,
	{ api, network, world: { ledger }, unshown }: Pick<TelegramScene, "api" | "network" | "world" | "unshown">,
): TelegramChannel {
	const { clock, ids, logger, redactor, opened, shell, memory } = life;
	const conversations: Conversations = {
		...life.conversations,
		create: (input, isMade) =>
			life.conversations.create(input, (made) => {
				unshown.add(made.id);
				isMade?.(made);
			}),
		subscribe(id, ...reader) {
			unshown.delete(id);
			return life.conversations.subscribe(id, ...reader);
		},
		dropQueued(id, message) {
			// From here on it may be gone, whatever happens to the process.
			const item = life.conversations.queue(id).find(({ messageId }) => messageId === message);
			const sent = item && ledger.sent.get(lastMarker(item.content));
			if (sent !== undefined) sent.dropped = true;
			life.conversations.dropQueued(id, message);
		},
	};
	return createTelegramChannel({
		...{ conversations, shell, memory, clock, logger, ids, sql: opened.sql, redact: redactor.text },
		schedules: createSchedules({
			...{ store: opened.store, conversations, redactor, clock, ids, logger },
			loadTimetable: async () => createCronerTimetable(),
		}),
		remembered: { list: () => [], revoke: () => false },
		folders: { look: () => Promise.reject(new Error("There are no folders.")) },
		folderTrust: { setup: async (path) => ({ path, trusted: false, found: [] }), set: async () => undefined },
		...storedMessages(conversations),
		agents: agentsOf({ copilot: life.agent }),
		config: { token: api.token, allowedUsers: [ANN.id], pairing: true, home: "/home", workdir: "/somewhere" },
		attachments: { save: async () => ({ id: "none" }), keep: () => ({ path: "none" }) },
		openLine: network.openLine(life),
	});
}
