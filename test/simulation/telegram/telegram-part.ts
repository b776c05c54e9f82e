import type { TelegramChannel } from "../../../packages/server/src/channels/telegram/create-telegram-channel.ts";
import { createBotApi } from "../../support/bot-api/bot-api.ts";
import { SimulatedDeath } from "../frame/engine.ts";
import type { JoinedPart, Part, World } from "../frame/part.ts";
import { openChannel } from "./channel.ts";
import { examineChats } from "./examine.ts";
import { TELEGRAM_INVARIANTS } from "./invariants.ts";
import { TELEGRAM_KINDS } from "./kinds.ts";
import { createNetwork, MISHAPS } from "./network.ts";
import { ANN, BOB, type TelegramScene } from "./scene.ts";
import { telegramSteps } from "./steps.ts";
import { watchChats } from "./watch.ts";

/** Two people in two chats, the real channel of every process, Telegram, and the way to it. */
export const telegramPart: Part = {
	name: "telegram",
	kinds: TELEGRAM_KINDS,
	invariants: TELEGRAM_INVARIANTS,
	covers: [
		...MISHAPS.map((mishap) => `telegram: ${mishap}`),
		...["409", "an update came twice", "a person was removed", "a message in doubt was told"].map((what) => `telegram: ${what}`),
		...["tapped stop", "tapped answer", "tapped decide", "tapped queue-drop", "tapped queue-now", "tapped switch", "tapped resend"].map(
			(what) => `telegram: ${what}`,
		),
	],
	joinsEvery: 3,
	join,
};

function join(world: World): JoinedPart {
	// Telegram's own clock is right, whatever the server's says.
	const api = createBotApi({ clock: { ...world.clock, now: world.clock.elapsed } });
	const network = createNetwork(world, api);
	let channel: TelegramChannel | undefined;
	let order = 0;
	const scene: TelegramScene = {
		...{ world, api, network },
		life: () => world.host.life,
		channel: () => channel,
		chats: [api.private(ANN), api.private(BOB)],
		said: [],
		tapped: [],
		untold: [],
		done: new Map(),
		lastDrop: new Map(),
		bound: new Map(),
		shown: new Map(),
		unshown: new Set(),
		formAt: new Map(),
		removed: new Set(),
		everRemoved: new Set(),
		restedAt: new Map(),
		next: () => (order += 1),
	};
	const watch = watchChats(scene);

	/** Whatever is wrong with disk or network keeps no server from starting. */
	function notStarted(error: unknown): void {
		if (!(error instanceof SimulatedDeath)) world.violate("no-surprise", `Telegram did not start: ${String(error)}`);
	}

	return {
		play: telegramSteps(scene),
		started(host, life) {
			if (host !== world.host) return;
			watch.began(life);
			try {
				if (life.number === 0)
					life.opened.sql
						.prepare("INSERT INTO telegram_people (user_id, name, paired_at) VALUES (?, ?, ?)")
						.run(BOB.id, BOB.name, life.clock.now());
				const begun = openChannel(life, scene);
				channel = begun;
				void begun.start().catch((error: unknown) => notStarted(error));
			} catch (error) {
				notStarted(error);
			}
		},
		ended(host) {
			if (host === world.host) channel = undefined;
		},
		async stopping(host) {
			if (host === world.host) await channel?.close();
		},
		check: watch.check,
		calm() {
			network.mend();
			api.holdSlot(0);
		},
		rest() {
			const life = scene.life();
			if (life === undefined || channel?.status().state !== "ok" || api.updates.pending().length > 0 || !network.isQuietFor(2_500))
				return false;
			return (
				life.disk.look(
					"SELECT 1 AS open FROM telegram_inbox WHERE state = 'pending' UNION ALL SELECT 1 FROM telegram_outbox WHERE state IN ('pending', 'sending') UNION ALL SELECT 1 FROM telegram_live",
				).length === 0
			);
		},
		examine: () => examineChats(scene),
	};
}
