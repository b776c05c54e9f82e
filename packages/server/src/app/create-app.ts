import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { TelegramChannel } from "../channels/telegram/create-telegram-channel.ts";
import { createWebChannel } from "../channels/web/create-web-channel.ts";
import { createConversations } from "../core/conversations/create-conversations.ts";
import { systemClock } from "../core/kernel/clock.ts";
import { randomIds } from "../core/kernel/ids.ts";
import { isolateTimers } from "../core/kernel/isolate.ts";
import type { Redactor } from "../core/kernel/redact.ts";
import { createCopilotRuntime } from "../runtime/copilot/create-copilot-runtime.ts";
import { removeAttachment } from "../services/attachments/attachment-file.ts";
import { createAttachments } from "../services/attachments/attachments.ts";
import { createPresence } from "../services/presence/presence.ts";
import { createSettings } from "../services/settings/settings.ts";
import { createFolderClient } from "../services/work-roots/folder-client.ts";
import { forkFolderProcess } from "../services/work-roots/fork-folder-process.ts";
import { createWorkRoots } from "../services/work-roots/work-roots.ts";
import { createShell } from "../shell/service/create-shell.ts";
import { openStore } from "../store/open-store.ts";
import { createAuditLog } from "../store/tables/audit-log.ts";
import { type Config, secretNames } from "./config/config.ts";
import { keepPrivate } from "./home/file-modes.ts";
import { findPlaces } from "./home/install-paths.ts";
import type { AppLogger } from "./logging/logger.ts";

/** A running Rightseat. */
export interface App {
	url: string;
	port: number;
	/** A link that logs in once, for ten minutes. */
	loginUrl(onSpent?: () => void): string;
	close(): Promise<void>;
}

/** How long running turns may go on after the server was told to stop. */
const CLOSE_GRACE_MS = 3_000;

/** The only place that wires: builds every part in the order in which they need each other, and takes them down in reverse. */
export async function createApp(config: Config, { logger, redactor }: { logger: AppLogger; redactor: Redactor }): Promise<App> {
	const shared = { clock: isolateTimers(systemClock, logger), ids: randomIds, logger };
	const places = findPlaces();
	const closing = createClosing(logger);
	try {
		const opened = openStore({ path: join(config.home, "rightseat.db"), ...shared });
		const { store, sql } = opened;
		closing.add(() => opened.close());

		const folders = createFolderClient({ ...shared, start: (listener) => forkFolderProcess(places.foldersEntry, listener) });
		closing.add(() => folders.close());
		const runtime = createCopilotRuntime({ ...config, folders, clock: shared.clock, logger, env: process.env, redact: redactor.line });
		closing.add(() => runtime.close());
		if (config.githubToken !== undefined) await runtime.start();

		const shell = createShell({ home: config.home, logger, secrets: secretNames(), shelldPath: places.shelldEntry });
		closing.add(() => shell.close());

		const settings = createSettings(store.settings, { permissions: config.permissions });
		const roots = createWorkRoots(config.roots, homedir(), folders);
		const attachments = createAttachments({ home: config.home, store: store.attachments, ...shared });
		const presence = createPresence();
		let telegram: TelegramChannel | undefined;
		const audit = createAuditLog({ sql, ...shared, redact: redactor.line });
		const conversations = createConversations({
			store,
			runtime,
			shell,
			...shared,
			directories: { resolve: (path) => roots.check(path) },
			config: {
				defaultModel: () => settings.get().defaultModel || config.defaultModel,
				permissions: () => settings.get().permissions,
				workdir: config.workdir,
				askTimeoutMs: config.askTimeoutMs,
				maxTurns: config.maxTurns,
			},
			extraTools: (id) => telegram?.tools(id) ?? [],
			redactor,
			audit,
			discardFiles(paths) {
				for (const path of paths) removeAttachment(path);
			},
		});
		closing.add(() => conversations.close(CLOSE_GRACE_MS));
		closing.add(keepPrivate({ home: config.home, conversations, logger }));

		if (config.telegram !== undefined) {
			// Loaded only when it is used: it costs a fifth of a second and some megabytes.
			const { createTelegramChannel } = await import("../channels/telegram/create-telegram-channel.ts");
			const { botToken, ...rest } = config.telegram;
			telegram = createTelegramChannel({
				conversations,
				runtime,
				shell,
				folders,
				sql,
				...shared,
				config: {
					...rest,
					token: botToken,
					home: config.home,
					workdir: config.workdir,
					...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
					...(config.transcribe === undefined ? {} : { transcription: config.transcribe }),
				},
				presence: { isLooking: presence.watched },
				attachments: {
					save: async ({ name, bytes }) => attachments.add({ name, content: Buffer.from(bytes) }),
					keep(id, conversationId) {
						store.attachments.bind(id, conversationId);
						return attachments.get(id);
					},
				},
				redact: redactor.text,
			});
		}

		const web = createWebChannel({
			config: {
				...config,
				tls: config.tls && { cert: readFileSync(config.tls.certFile, "utf8"), key: readFileSync(config.tls.keyFile, "utf8") },
				webRoot: places.pageDir,
				version: places.version,
			},
			conversations,
			runtime,
			shell,
			store,
			sql,
			settings,
			folders,
			storageHealth: opened.health,
			...(telegram === undefined ? {} : { telegram: accessTo(telegram) }),
			presence,
			redactor,
			audit,
			...shared,
		});
		closing.add(() => web.close());
		closing.add(opened.onHealth(() => web.statusChanged()));
		const { url, port } = await web.listen();

		if (telegram !== undefined) {
			const channel = telegram;
			closing.add(() => channel.close());
			await channel.start();
		}
		opened.startBackups();
		return { url, port, loginUrl: web.loginLink, close: closing.run };
	} catch (error) {
		await closing.run();
		throw error;
	}
}

/** Telegram, as the page's settings see it. */
function accessTo(telegram: TelegramChannel) {
	const { status, onStatus, linkCode, pairing } = telegram;
	return { status, onStatus, linkCode, isPairing: pairing.isOn, ...pairing };
}

/** Last opened, first closed; one that fails does not keep the others open. */
function createClosing(logger: AppLogger) {
	const steps: (() => Promise<void> | void)[] = [];
	return {
		add: (close: () => Promise<void> | void) => void steps.push(close),
		async run(): Promise<void> {
			for (const close of steps.splice(0).toReversed()) {
				try {
					await close();
				} catch (error) {
					logger.error({ err: error }, "A part could not be closed");
				}
			}
		},
	};
}
