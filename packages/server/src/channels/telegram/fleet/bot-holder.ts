import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Fleet, FleetRequest } from "../../../core/ports/fleet.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import type { TelegramChannel } from "../create-telegram-channel.ts";
import { createLanguages } from "../messages/languages.ts";
import type { Language } from "../messages/messages.ts";
import { createSharedBot, type SharedBot } from "./shared-bot.ts";

/** How often is looked whether the bot is this host's to run, and what changed is written for the next holder. */
const LOOK_MS = 500;

/** Under which the bot runs here: asked before every call, and before what must not be doubled. */
export interface BotLease {
	/** For commands to other hosts: one that a later holder has overtaken is refused there. */
	readonly fence: NonNullable<FleetRequest["fence"]>;
	/** This host is the holder now. */
	mayCall(): boolean;
	/** What is on disk about this chat is where the next holder finds it. False: it must not be sent. */
	intend(chatId: number): Promise<boolean>;
	/** The same for everything, before Telegram forgets what it handed out. Rejects when that cannot be done. */
	confirm(): Promise<void>;
}

export interface BotHolderDeps {
	fleet: Pick<Fleet, "lease" | "shared" | "hosts" | "status">;
	botId: number;
	language: "auto" | Language;
	sql: SqlDatabase;
	clock: Clock;
	logger: Logger;
	/** The bot, as it runs on one host. Without a lease: this host is in no fleet, and nobody else has the bot. */
	create(lease: BotLease | undefined): TelegramChannel;
}

/** Starts the bot when it is this host's, and stops it when it is not. */
export interface BotHolder {
	/** The bot, while it runs here. */
	running(): TelegramChannel | undefined;
	/** Begins to look; whatever is wrong keeps nobody from starting. */
	start(): Promise<void>;
	/** The bot is not begun any more. */
	drain(): void;
	/** Others may have the bot at once. */
	close(): Promise<void>;
}

type State =
	| { kind: "waiting" }
	| { kind: "running"; bot: TelegramChannel; fence: number | undefined; shared: SharedBot | undefined; offStatus: () => void };

/** `onChange`: the bot begins or ends here, or its status is another. `onElsewhere`: it is not this host's, at every look. */
export function createBotHolder(deps: BotHolderDeps, on: { change(): void; elsewhere(): Promise<void> }): BotHolder {
	const { fleet, botId, clock, logger } = deps;
	// The bot's id, which is no secret.
	const name = `telegram.${botId}`;
	let lease: ReturnType<Fleet["lease"]> | undefined;
	let state: State = { kind: "waiting" };
	let [isClosed, isDraining] = [false, false];
	let cancel: Cancel = () => undefined;
	let looking: Promise<void> = Promise.resolve();

	async function take(fence: number, self: string): Promise<void> {
		const shared = sharedBot(deps, self, fence);
		await shared.claim();
		const held = leaseUnder({ lease: name, number: fence }, shared, () => lease?.fence() === fence);
		if (!held.mayCall() || isClosed) return;
		logger.info({ fence }, "Telegram runs on this host");
		await begin(fence, shared, held);
	}

	async function begin(fence: number | undefined, shared: SharedBot | undefined, held: BotLease | undefined): Promise<void> {
		const bot = deps.create(held);
		state = { kind: "running", bot, fence, shared, offStatus: bot.onStatus(on.change) };
		await bot.start();
		on.change();
	}

	async function stop(): Promise<void> {
		if (state.kind !== "running") return;
		const { bot, shared, offStatus } = state;
		offStatus();
		await bot.drain();
		await bot.close();
		await shared?.flush();
		state = { kind: "waiting" };
		on.change();
	}

	async function look(): Promise<void> {
		// One that was removed, or whose identity is in use elsewhere, must not keep the bot from the others.
		if (fleet.status().kind === "refused") lease = await letGo(lease);
		else lease ??= fleet.lease(name);
		const [fence, self] = [lease?.fence(), fleet.hosts().find((host) => host.self)?.id];
		if (state.kind === "running") {
			const isStill = state.fence === undefined ? isAlone(fleet) : state.fence === fence && state.shared?.isOvertaken() !== true;
			if (isStill) return void (await state.shared?.flush());
			logger.warn({ fence: state.fence }, "Telegram is another host's now, or nobody's");
			await stop();
		}
		if (isDraining) return;
		if (isAlone(fleet)) await begin(undefined, undefined, undefined);
		else if (fence !== undefined && self !== undefined) await take(fence, self);
		else await on.elsewhere();
	}

	function lookAgain(): void {
		if (isClosed) return;
		looking = look().catch((error: unknown) => {
			logger.warn({ err: error }, "Telegram could not be taken over; it is tried again");
		});
		void looking.then(() => {
			if (!isClosed) cancel = clock.after(LOOK_MS, lookAgain);
		});
	}

	return {
		running: () => (state.kind === "running" ? state.bot : undefined),
		start: async () => lookAgain(),
		drain: () => {
			isDraining = true;
		},
		async close() {
			[isClosed, isDraining] = [true, true];
			cancel();
			await looking;
			await stop();
			lease = await letGo(lease);
		},
	};
}

async function letGo(lease: ReturnType<Fleet["lease"]> | undefined): Promise<undefined> {
	await lease?.close();
}

/** Only a host that belongs to no fleet has the bot for itself: one that cannot reach the others does not know who has it. */
function isAlone(fleet: Pick<Fleet, "status">): boolean {
	const status = fleet.status();
	return status.kind === "refused" && status.because.params?.reason === "no-place";
}

function sharedBot({ fleet, botId, sql, clock, logger, language }: BotHolderDeps, self: string, fence: number): SharedBot {
	const languages = createLanguages(sql, language);
	const leftBehind = (chatId: number) => languages.words(chatId).leftBehind;
	return createSharedBot({ table: fleet.shared("telegram"), botId, self, fence, sql, clock, logger, leftBehind });
}

function leaseUnder(fence: BotLease["fence"], shared: SharedBot, isHeld: () => boolean): BotLease {
	const mayCall = () => isHeld() && !shared.isOvertaken();
	return {
		...{ fence, mayCall },
		intend: async (chatId) => mayCall() && (await shared.flushChat(chatId)) && mayCall(),
		async confirm() {
			if (!mayCall() || !(await shared.flush()) || !mayCall())
				throw new AppError("fleet-not-connected", "Another host may have the bot.", { retryable: true });
		},
	};
}
