import { AppError } from "../../../core/kernel/errors.ts";
import type { TelegramChannel } from "../create-telegram-channel.ts";
import { sendFileShape } from "../outbox/send-file-tool.ts";
import type { TelegramStatus } from "../status-board.ts";
import { type BotHolderDeps, createBotHolder } from "./bot-holder.ts";
import { botEntrySchema } from "./shared-entries.ts";

/** Who runs it, while this host does not, is read so often. */
const WHO_MS = 5_000;

/** The bot on exactly one of the hosts that have its token. On the others it says where it runs. */
export function createLeasedTelegram(deps: BotHolderDeps & { isPairing: boolean }): TelegramChannel {
	const { fleet, botId, clock } = deps;
	const listeners = new Set<(status: TelegramStatus) => void>();
	let elsewhere: TelegramStatus = { state: "starting" };
	let askedAt = Number.NEGATIVE_INFINITY;
	const holder = createBotHolder(deps, { change: told, elsewhere: noteHolder });
	const { running } = holder;
	const status = () => running()?.status() ?? elsewhere;

	function told(): void {
		for (const listener of [...listeners]) listener(status());
	}

	/** For people: where it runs. */
	async function noteHolder(): Promise<void> {
		if (clock.elapsed() - askedAt < WHO_MS) return;
		askedAt = clock.elapsed();
		// Without the engine nobody knows, and its own status says why.
		const entry = await fleet
			.shared("telegram")
			.get(`${botId}.bot`)
			.catch(() => undefined);
		const bot = botEntrySchema.safeParse(entry?.value);
		const host = bot.success ? fleet.hosts().find(({ id }) => id === bot.data.host) : undefined;
		const next = host === undefined || host.self ? NOBODY : elsewhereOn(host.name);
		if (JSON.stringify(next) === JSON.stringify(elsewhere)) return;
		elsewhere = next;
		told();
	}

	function here(): TelegramChannel {
		const bot = running();
		if (bot !== undefined) return bot;
		const message = status().message ?? "Telegram does not run on this host now.";
		throw new AppError("not-found", message, { params: { reason: "telegram-elsewhere" } });
	}

	return {
		start: holder.start,
		async drain() {
			holder.drain();
			await running()?.drain();
		},
		async close() {
			await holder.close();
			elsewhere = { state: "stopped" };
			told();
		},
		status,
		onStatus(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		pairing: {
			isOn: () => deps.isPairing,
			pending: () => running()?.pairing.pending() ?? [],
			confirm: (code) => here().pairing.confirm(code),
			revoke: (userId) => here().pairing.revoke(userId),
			people: () => running()?.pairing.people() ?? [],
		},
		rings: (id) => running()?.rings(id) ?? false,
		linkCode: (id) => here().linkCode(id),
		tools: (id) => [
			{
				...sendFileShape,
				async run(args, call) {
					const [tool] = running()?.tools(id) ?? [];
					return tool === undefined ? NO_BOT : tool.run(args, call);
				},
			},
		],
	};
}

const NO_BOT = { ok: false, text: "Telegram runs on another host now, and files are not sent from there." };
const NOBODY: TelegramStatus = {
	state: "starting",
	problem: "no-holder",
	message: "Telegram waits: it begins on one host of the fleet as soon as NATS can be reached and nobody else runs it.",
};
const elsewhereOn = (host: string): TelegramStatus => ({
	state: "stopped",
	problem: "elsewhere",
	message: `Telegram runs on ${host}. It moves here when that host is away.`,
});
