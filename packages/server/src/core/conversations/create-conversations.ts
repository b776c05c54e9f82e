import { foldTurn } from "@rightseat/protocol/fold/turn";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { cutText } from "@rightseat/protocol/text";
import { createLiveTable } from "../active/active-conversations.ts";
import { createClosing } from "../active/closing.ts";
import type { CoreContext, CoreDeps } from "../active/core-context.ts";
import { createLogTrim } from "../active/log-trim.ts";
import { createAsks } from "../asks/pending-requests.ts";
import { createPermissionManager } from "../asks/permission-manager.ts";
import { createCommands } from "../commands/commands.ts";
import { onBashComplete } from "../commands/on-bash-complete.ts";
import { isoTime } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, conversationId as toConversationId, epoch as toEpoch, seq as toSeq } from "../kernel/ids.ts";
import { createRedactor } from "../kernel/redact.ts";
import { within } from "../kernel/with-timeout.ts";
import { createEventLog } from "../log/event-log.ts";
import { createRedactingLog } from "../log/redacting-log.ts";
import { createStreamHub, type Subscriber, type Subscription } from "../log/stream-hub.ts";
import type { ConversationRow } from "../ports/store.ts";
import { createPrompts } from "../turns/prompts.ts";
import { recover } from "../turns/recovery.ts";
import { createSessions } from "../turns/sessions.ts";
import { createTurns, type Turns } from "../turns/turns.ts";
import { audited } from "./audited.ts";
import type { ConversationChange, ConversationPatch, Conversations } from "./conversations.ts";
import { createDeletion } from "./delete-conversation.ts";
import { exportConversation } from "./export-conversation.ts";
import { createMessageReader, MAX_PAGE } from "./message-reader.ts";
import { snapshotOf, statusFrame } from "./snapshot.ts";

const MAX_TITLE_INPUT = 200;
/** A stop waits no longer for each of these, so that it always comes to an end; a stopped turn alone may take five seconds. */
const STOP_WAIT_MS = { turns: 6_000, commands: 4_000, sessions: 2_000 };

/** Builds the service that every channel speaks to, and recovers what a crash left behind before it returns. */
export function createConversations(deps: CoreDeps): Conversations {
	const live = createLiveTable();
	const closing = createClosing();
	const listeners = new Set<(change: ConversationChange) => void>();
	const hub = createStreamHub({ events: deps.store.events, epochOf: (id) => row(id).epoch, logger: deps.logger });
	const trim = createLogTrim(deps);
	const redactor = deps.redactor ?? createRedactor([]);
	const events = createEventLog({
		store: deps.store,
		clock: deps.clock,
		logger: deps.logger,
		onCommitted(events) {
			for (const { conversationId, event } of events) {
				const turn = live.find(conversationId)?.turn;
				if (turn !== undefined) turn.shown = foldTurn(turn.shown, event);
			}
			hub.remember(events);
			trim.appended(events);
		},
		onDurable: (events) => hub.publish(events),
	});
	const log = createRedactingLog(events, redactor);
	const core: CoreContext = { ...deps, redactor, log, live, closing, row, accepting, view, changed };
	const asks = createAsks(core);
	const permissions = createPermissionManager({ modeOf: (id) => row(id).permissions, ask: asks.permission });
	const sessions = createSessions(core, asks, permissions);
	const commands = createCommands(core, (row, result) => {
		onBashComplete(core, row, result);
		trim.trim(row.conversationId);
	});
	const prompts = createPrompts(core, () => turns);
	const turns: Turns = createTurns(core, sessions, (id, end) => {
		prompts.turnEnded(id, end);
		trim.trim(id);
	});
	const deleteConversation = createDeletion(core, { turns, sessions, hub, permissions, deleted: (id) => tell({ kind: "deleted", id }) });
	const offJobs = deps.shell.onJob((job) => {
		const id = toConversationId(job.conversationId);
		if (deps.store.conversations.find(id) !== undefined) log.append(id, { type: "bash:job", data: { job } });
	});
	recoverIfWritable();

	/** With a full disk the server still starts, to show what it has; the next start recovers. */
	function recoverIfWritable(): void {
		try {
			recover(core);
		} catch (error) {
			if (!(error instanceof AppError && error.code === "storage-read-only")) throw error;
			deps.logger.error({ err: error }, "What a crash left behind cannot be stored while the storage is read-only");
		}
	}

	function row(id: ConversationId): ConversationRow {
		const found = deps.store.conversations.find(id);
		if (found === undefined) throw new AppError("conversation-not-found", "There is no such conversation. It may have been deleted.");
		return found;
	}

	function accepting(id: ConversationId): ConversationRow {
		const found = row(id);
		closing.check(id);
		return found;
	}

	function view(found: ConversationRow): Conversation {
		const now = live.find(found.id);
		const { titleFixed: _, ...rest } = found;
		return {
			...rest,
			status: now?.turn === undefined ? found.status : "streaming",
			asking: (now?.questions.size ?? 0) + (now?.permissions.size ?? 0) > 0,
			createdAt: isoTime(found.createdAt),
			updatedAt: isoTime(found.updatedAt),
		};
	}

	function tell(change: ConversationChange): void {
		deps.store.afterCommit(() => {
			for (const listener of listeners) {
				try {
					listener(change);
				} catch (error) {
					deps.logger.error({ err: error }, "A listener for conversations threw");
				}
			}
		});
	}

	/** Attaches when everything committed so far is durable: after the events that `first` covers, before those that follow. */
	function attach(id: ConversationId, subscriber: Subscriber, first: () => void): Subscription {
		let subscription: Subscription | undefined;
		let closed = false;
		deps.store.afterCommit(() => {
			if (closed) return;
			first();
			// A reader that cannot take what it missed lets go in the middle of it.
			if (!closed) subscription = hub.attach(id, subscriber);
		});
		return {
			close() {
				closed = true;
				subscription?.close();
			},
		};
	}

	function changed(id: ConversationId): void {
		const found = deps.store.conversations.find(id);
		if (found !== undefined) tell({ kind: "updated", conversation: view(found) });
	}

	async function checkModel(model: string): Promise<void> {
		const list = await deps.runtime.listModels();
		// A provider that cannot be asked, or names no models, leaves the choice to the person.
		if (list.state === "listed" && !list.models.some((candidate) => candidate.id === model)) {
			throw unknownModel(model);
		}
	}

	async function defaultModel(): Promise<string> {
		return deps.config.defaultModel() ?? (await deps.runtime.listModels()).default;
	}

	const service: Conversations = {
		async create(input) {
			if (input.model !== undefined) await checkModel(input.model);
			const model = input.model ?? (await defaultModel());
			const cwd = await deps.directories.resolve(input.cwd ?? deps.config.workdir);
			const now = deps.clock.now();
			const created: ConversationRow = {
				id: toConversationId(deps.ids.next()),
				title: cutText(redactor.text(input.title ?? ""), MAX_TITLE_INPUT),
				titleFixed: input.title !== undefined,
				model,
				cwd,
				sdkSessionId: null,
				pinned: false,
				archived: false,
				permissions: deps.config.permissions(),
				status: "idle",
				epoch: toEpoch(deps.ids.next()),
				headSeq: toSeq(0),
				createdAt: now,
				updatedAt: now,
			};
			deps.store.conversations.insert(created);
			const conversation = view(created);
			tell({ kind: "created", conversation });
			return conversation;
		},
		list(page = {}) {
			const limit = Math.min(page.limit ?? 50, MAX_PAGE);
			const { rows, nextCursor } = deps.store.conversations.list({ ...page, limit });
			return { conversations: rows.map(view), ...(nextCursor === undefined ? {} : { nextCursor }) };
		},
		get: (id) => view(row(id)),
		find(id) {
			const found = deps.store.conversations.find(id);
			return found === undefined ? undefined : view(found);
		},
		async update(id, patch: ConversationPatch) {
			const before = accepting(id);
			const { cwd, ...rest } = patch;
			if (rest.model !== undefined && rest.model !== before.model) {
				await checkModel(rest.model);
				await sessions.setModel(id, rest.model);
			}
			const resolved = cwd === undefined ? undefined : await deps.directories.resolve(cwd);
			if (resolved !== undefined) deps.shell.setCwd(id, resolved);
			const title = rest.title === undefined ? undefined : cutText(redactor.text(rest.title), MAX_TITLE_INPUT);
			deps.store.conversations.update(id, {
				...rest,
				...(title === undefined ? {} : { title, titleFixed: true }),
				...(resolved === undefined ? {} : { cwd: resolved }),
			});
			if (rest.permissions !== undefined) permissions.forget(id);
			changed(id);
			return view(row(id));
		},
		delete: deleteConversation,
		...createMessageReader({ messages: deps.store.messages, row, runningTurn: (id) => live.find(id)?.turn?.shown }),
		search: (query, limit) => deps.store.messages.search(query, limit),
		export: (id, format) => exportConversation(view(row(id)), deps.store.messages.iterate(id), format),
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},

		...prompts,
		abort(id) {
			row(id);
			return turns.abort(id);
		},
		async release(id) {
			if (live.find(id)?.turn === undefined) await sessions.release(id);
		},
		active: () => live.withTurn().map((conversation) => conversation.id),
		answer: asks.answer,
		decide: asks.decide,
		pending: asks.pending,
		...commands,
		restartShell(id) {
			accepting(id);
			deps.shell.restart(id);
		},

		subscribe(id, position, subscriber) {
			// Events that wait for their commit belong before this reader's first live event.
			log.flush();
			const found = row(id);
			const { epoch, lastSeq } = position;
			const missed = lastSeq !== undefined && epoch === found.epoch ? hub.missed(id, lastSeq, found.headSeq) : undefined;
			const status = redactor.value(statusFrame(core, found, missed === undefined ? "snapshot" : "delta"));
			const snapshot = missed === undefined ? redactor.value(snapshotOf(core, found)) : undefined;
			return attach(id, subscriber, () => {
				subscriber.reply(status);
				if (snapshot !== undefined) subscriber.reply(snapshot);
				for (const event of missed ?? []) subscriber.event(event.frame, event);
			});
		},
		follow(id, subscriber) {
			log.flush();
			row(id);
			return attach(id, subscriber, () => undefined);
		},
		async close(graceMs) {
			closing.beginAll();
			const running = live.withTurn().map((conversation) => conversation.turn?.done);
			await Promise.race([Promise.all(running), new Promise<void>((resolve) => deps.clock.after(graceMs, resolve))]);
			const interrupted = turns.interruptAll({
				code: "shutting-down",
				message: "The server was stopped while this answer was being written.",
				retryable: true,
			});
			// A disk that refuses, a command that cannot be killed: the next start puts right what could not be stored in time.
			await within(deps.clock, STOP_WAIT_MS.turns, interrupted);
			await within(deps.clock, STOP_WAIT_MS.commands, commands.killAll());
			await within(deps.clock, STOP_WAIT_MS.sessions, sessions.closeAll());
			offJobs();
			trim.close();
			log.flush();
			log.close();
		},
	};
	return deps.audit === undefined ? service : audited(service, deps.audit);
}

const unknownModel = (model: string) =>
	new AppError("unknown-model", `There is no model “${cutText(model, 80)}” here. GET /api/copilot/models lists the ones there are.`, {
		params: { reason: "not-listed", model: cutText(model, 80) },
	});
