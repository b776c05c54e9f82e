import type { createTelegramChannel, TelegramChannel } from "../channels/telegram/create-telegram-channel.ts";
import type { BotLease } from "../channels/telegram/fleet/bot-holder.ts";
import type { Conversations } from "../core/conversations/conversations.ts";
import { messageId as toMessageId } from "../core/kernel/ids.ts";
import type { Store } from "../core/ports/store.ts";
import type { Attachments } from "../services/attachments/attachments.ts";
import type { Config } from "./config/config.ts";
import type { AppFleet } from "./fleet/app-fleet.ts";

type TelegramDeps = Parameters<typeof createTelegramChannel>[0];
type TelegramParts = Omit<TelegramDeps, "config" | "conversations" | "recent" | "wholeText" | "hosts" | "jobs" | "lease"> & {
	conversations: Conversations;
	publicUrl: () => string | undefined;
};

/** The bot, loaded only when it is used: it costs a fifth of a second and some megabytes. In a fleet it runs on one host for all. */
export async function createTelegram(
	config: Config,
	fleet: AppFleet | undefined,
	parts: TelegramParts,
): Promise<TelegramChannel | undefined> {
	if (config.telegram === undefined) return undefined;
	const channel = await import("../channels/telegram/create-telegram-channel.ts");
	const { publicUrl, conversations, ...deps } = parts;
	const { botToken, ...rest } = config.telegram;
	const alone = {
		...deps,
		conversations,
		recent: (id, limit) => conversations.messages(id, { limit }).messages,
		wholeText: (id, message) => conversations.wholeText(id, toMessageId(message)),
		config: {
			...rest,
			token: botToken,
			home: config.home,
			workdir: config.workdir,
			publicUrl,
			...(config.transcribe === undefined ? {} : { transcription: config.transcribe }),
		},
	} satisfies TelegramDeps;
	if (fleet === undefined) return channel.createTelegramChannel(alone);

	const { createLeasedTelegram } = await import("../channels/telegram/fleet/leased-telegram.ts");
	const { everywhere } = fleet;
	const hosts = { list: everywhere.hosts, onChange: everywhere.onHosts };
	return createLeasedTelegram({
		...{ fleet: fleet.fleet, sql: deps.sql, clock: deps.clock, logger: deps.logger, language: rest.language ?? "auto" },
		botId: Number.parseInt(botToken, 10) || 0,
		isPairing: rest.pairing ?? rest.allowedUsers.length === 0,
		create(lease: BotLease | undefined) {
			const { conversations: all, jobs } = lease === undefined ? everywhere : everywhere.under(() => lease.fence);
			return channel.createTelegramChannel({
				...alone,
				...{ conversations: all, jobs, hosts, lease },
				recent: everywhere.recent,
				wholeText: everywhere.wholeText,
			});
		},
	});
}

/** Attachments, as a channel that fetches files itself uses them. */
export function attachmentsFor(attachments: Attachments, store: Pick<Store, "attachments">): TelegramParts["attachments"] {
	return {
		save: ({ name, bytes }) => attachments.add({ name, content: Buffer.from(bytes) }),
		keep(id, conversationId) {
			store.attachments.bind(id, conversationId);
			return attachments.get(id);
		},
	};
}

/** Telegram, as the page's settings see it. */
export function accessTo(telegram: TelegramChannel) {
	const { status, onStatus, linkCode, pairing, rings } = telegram;
	return { status, onStatus, linkCode, rings, isPairing: pairing.isOn, ...pairing };
}
