import type { ConversationPatch, NewConversation } from "@rightseat/protocol/http/requests";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { cutText } from "@rightseat/protocol/text";
import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Doubts } from "../active/doubts.ts";
import type { PermissionManager } from "../asks/permission-manager.ts";
import type { Clock } from "../kernel/clock.ts";
import { type ConversationId, type IdSource, conversationId as toConversationId, epoch as toEpoch, seq as toSeq } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Redactor } from "../kernel/redact.ts";
import { OWN_MODE } from "../ports/agent-runtime.ts";
import type { Agents } from "../ports/agents.ts";
import type { ChangeTracker } from "../ports/changes.ts";
import type { Directories } from "../ports/directories.ts";
import type { HandedOver } from "../ports/listed-sessions.ts";
import type { Shell } from "../ports/shell.ts";
import type { ConversationRow, Store } from "../ports/store.ts";
import type { Models } from "../turns/models.ts";
import { checkProfile, checkSettings } from "../turns/session-settings.ts";
import type { Sessions } from "../turns/sessions.ts";
import { type Budgets, toBudget } from "../usage/budgets.ts";
import type { AgentSessions } from "./agent-sessions.ts";
import type { McpSwitches } from "./conversation-setup.ts";
import type { CoreConfig } from "./core-deps.ts";
import { createHandOver } from "./hand-over.ts";
import { MAX_PAGE } from "./message-reader.ts";
import { createTakeOver } from "./take-over.ts";

const MAX_TITLE_INPUT = 200;

/** Conversations as things with a title, a model and a directory. */
export interface Catalog {
	create(input: Omit<NewConversation, "permissions">, isMade?: (made: Conversation) => void): Promise<Conversation>;
	check(input: Omit<NewConversation, "permissions" | "sessionId">): Promise<void>;
	list(page?: { limit?: number; cursor?: string; archived?: boolean }): { conversations: Conversation[]; nextCursor?: string };
	get(id: ConversationId): Conversation;
	find(id: ConversationId): Conversation | undefined;
	update(id: ConversationId, patch: ConversationPatch): Promise<Conversation>;
	handOver(id: ConversationId): Promise<HandedOver>;
}

interface CatalogDeps {
	store: Pick<Store, "conversations" | "messages" | "durable" | "transaction">;
	agents: Pick<Agents, "default" | "find">;
	directories: Directories;
	shell: Pick<Shell, "setCwd">;
	clock: Clock;
	ids: IdSource;
	redactor: Redactor;
	config: Pick<CoreConfig, "workdir" | "permissions">;
	rows: ConversationRows;
	changes: ConversationChanges;
	models: Pick<Models, "check" | "default">;
	sessions: Pick<Sessions, "setModel" | "apply" | "open" | "release">;
	agentSessions: Pick<AgentSessions, "get" | "requireFree">;
	active: Pick<ActiveConversations, "find">;
	doubts: Pick<Doubts, "has">;
	logger: Logger;
	permissions: Pick<PermissionManager, "forget">;
	tracker: Pick<ChangeTracker, "prepare">;
	budgets: Pick<Budgets, "changed">;
	switches: Pick<McpSwitches, "check" | "apply">;
}

/** Models and directories are checked before anything is stored. */
export function createCatalog(deps: CatalogDeps): Catalog {
	const { store, rows, changes } = deps;
	const { view } = changes;
	const takeOver = createTakeOver(deps);
	/** The last change of each that is under way. */
	const changing = new Map<ConversationId, Promise<unknown>>();

	/** One after the other: each reads what it does not change, and two at once would undo one another in the session or in the store. */
	function inTurn<T>(id: ConversationId, change: () => Promise<T>): Promise<T> {
		const done = (changing.get(id) ?? Promise.resolve()).then(change);
		const settled = done.then(
			() => undefined,
			() => undefined,
		);
		changing.set(id, settled);
		void settled.then(() => changing.get(id) === settled && changing.delete(id));
		return done;
	}

	function toTitle(given: string): string {
		return cutText(deps.redactor.text(given), MAX_TITLE_INPUT);
	}

	return {
		handOver: createHandOver(deps),
		async create(input, isMade) {
			const agent = input.agent ?? deps.agents.default();
			await checkAgent(deps, agent, input);
			const model = input.model ?? (await deps.models.default(agent));
			const earlier = input.sessionId === undefined ? undefined : await deps.agentSessions.get(agent, input.sessionId);
			const cwd = earlier?.cwd ?? (await deps.directories.resolve(input.cwd ?? deps.config.workdir()));
			await checkProfile(deps.agents, { agent, cwd }, input.agentProfile ?? "");
			const now = deps.clock.now();
			const created: ConversationRow = {
				id: toConversationId(deps.ids.next()),
				title: toTitle(input.title ?? earlier?.title ?? ""),
				// By the title that it has there people know it again.
				titleFixed: input.title !== undefined || (earlier !== undefined && earlier.title !== "" && takeOver.isNeeded(agent)),
				agent,
				model,
				mode: input.mode ?? OWN_MODE,
				effort: input.effort ?? "",
				agentProfile: input.agentProfile ?? "",
				cwd,
				sdkSessionId: earlier?.sessionId ?? null,
				isContinued: earlier !== undefined,
				...{ forkedFrom: null, forkedAt: null, forkKey: null, untoldFrom: null, mcp: {} },
				isForming: earlier !== undefined && takeOver.isNeeded(agent),
				pinned: false,
				archived: false,
				permissions: deps.config.permissions(),
				budget: null,
				status: "idle",
				epoch: toEpoch(deps.ids.next()),
				headSeq: toSeq(0),
				createdAt: now,
				updatedAt: now,
			};
			// Somebody else may have taken it meanwhile.
			if (earlier !== undefined) deps.agentSessions.requireFree(agent, earlier.sessionId);
			store.transaction(() => {
				store.conversations.insert(created);
				isMade?.(view(created));
			});
			const made = earlier === undefined ? created : await takeOver.open(created);
			changes.created(made);
			deps.tracker.prepare(cwd);
			return view(made);
		},
		async check({ agent = deps.agents.default(), cwd = deps.config.workdir(), ...input }) {
			await checkAgent(deps, agent, input);
			await checkProfile(deps.agents, { agent, cwd: await deps.directories.resolve(cwd) }, input.agentProfile ?? "");
		},
		list(page = {}) {
			const limit = Math.min(page.limit ?? 50, MAX_PAGE);
			const { rows: found, nextCursor } = store.conversations.list({ ...page, limit });
			const shown = found.filter((row) => !deps.doubts.has(row.id));
			return { conversations: shown.map(view), ...(nextCursor === undefined ? {} : { nextCursor }) };
		},
		get: (id) => view(rows.get(id)),
		find(id) {
			const found = store.conversations.find(id);
			return found === undefined ? undefined : view(found);
		},
		update: (id, patch) => inTurn(id, () => change(id, patch)),
	};

	async function change(id: ConversationId, { cwd, title, budget, mcp, ...rest }: ConversationPatch): Promise<Conversation> {
		const before = rows.getOpen(id);
		const switches = mcp && (await deps.switches.check(before, mcp));
		if (rest.model !== undefined && rest.model !== before.model) {
			await deps.models.check(before.agent, rest.model);
			await deps.sessions.setModel(id, rest.model);
		}
		await applySettings(deps, before, rest);
		const resolved = cwd === undefined ? undefined : await deps.directories.resolve(cwd);
		if (resolved !== undefined) {
			deps.shell.setCwd(id, resolved);
			deps.tracker.prepare(resolved);
		}
		store.conversations.update(id, {
			...rest,
			...(title === undefined ? {} : { title: toTitle(title), titleFixed: true }),
			...(resolved === undefined ? {} : { cwd: resolved }),
			...(budget === undefined ? {} : { budget: toBudget(budget) }),
			...(switches === undefined ? {} : { mcp: switches }),
		});
		if (mcp !== undefined) await deps.switches.apply(id, mcp);
		if (rest.permissions !== undefined) deps.permissions.forget(id);
		if (budget !== undefined) deps.budgets.changed();
		changes.updated(id);
		return view(rows.get(id));
	}
}

/** Rejects when the agent does not have what the conversation shall be set to. */
async function applySettings(
	deps: { agents: Pick<Agents, "find">; sessions: Pick<Sessions, "apply"> },
	before: ConversationRow,
	wanted: Pick<ConversationPatch, "mode" | "effort" | "agentProfile">,
): Promise<void> {
	const { mode = before.mode, effort = before.effort, agentProfile = before.agentProfile } = wanted;
	if (mode === before.mode && effort === before.effort && agentProfile === before.agentProfile) return;
	checkSettings(deps.agents, before.agent, wanted);
	if (agentProfile !== before.agentProfile) await checkProfile(deps.agents, before, agentProfile);
	await deps.sessions.apply(before.id, { mode, effort, agentProfile });
}

/** Rejects when there is no such agent, or it does not have what the conversation shall be set to. */
async function checkAgent(
	{ agents, models }: { agents: Pick<Agents, "find">; models: Pick<Models, "check"> },
	agent: string,
	wanted: Pick<NewConversation, "model" | "mode" | "effort">,
): Promise<void> {
	checkSettings(agents, agent, wanted);
	if (wanted.model !== undefined) await models.check(agent, wanted.model);
}
