import type { AgentCommand } from "@rightseat/protocol/http/agent-commands";
import type { FolderSetupItem } from "@rightseat/protocol/http/folders";
import type { ConversationSetup, McpLogin, McpServerState, SetupItem } from "@rightseat/protocol/http/setup";
import { cutText } from "@rightseat/protocol/text";
import type { ConversationRows } from "../active/conversation-rows.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AgentSetups, OfferedServer, OpenSetup, SessionServer, SessionSetup } from "../ports/agent-setup.ts";
import type { ConversationRow } from "../ports/store.ts";
import type { Sessions } from "../turns/sessions.ts";
import { type AgentCommandsDeps, createAgentCommands } from "./agent-commands.ts";

/** What people see and change of what the agent of a conversation was given. */
export interface ConversationSetups {
	/** Starts nothing and waits for no server. */
	get(id: ConversationId): Promise<ConversationSetup>;
	/** What a prompt can begin with; likewise. */
	commands(id: ConversationId): Promise<AgentCommand[]>;
	/** A prompt that waits for MCP servers goes on without them. Nothing that waits is fine. */
	goOn(id: ConversationId): void;
	/** Begins to sign in to an MCP server; opens the session for it. Rejects with an AppError. */
	login(id: ConversationId, name: string): Promise<McpLogin>;
	/** Ends it with the address on which the browser ended. */
	finishLogin(id: ConversationId, name: string, address: string): Promise<McpServerState["state"]>;
}

/** Which MCP servers a conversation has, and the switches of each. */
export interface McpSwitches {
	/** For the session in this folder. */
	servers(id: ConversationId, cwd: string): Promise<SessionServer[]>;
	/** The switches of the conversation after this change; rejects when there is no such server. */
	check(row: ConversationRow, change: Readonly<Record<string, boolean>>): Promise<Record<string, boolean>>;
	/** The open session takes it now. */
	apply(id: ConversationId, change: Readonly<Record<string, boolean>>): Promise<void>;
}

/** Switches that are kept of one conversation; they outlive servers that are gone for a while. */
const MAX_MCP_SWITCHES = 128;

interface SetupDeps extends AgentCommandsDeps {
	rows: Pick<ConversationRows, "get" | "getOpen">;
	open: Sessions["open"];
	/** No agent is given anything without it. */
	setups: AgentSetups | undefined;
}

/** What core and people need of what agents are given. */
export function createSetups(deps: SetupDeps): { switches: McpSwitches; setups: ConversationSetups } {
	return { switches: createMcpSwitches(deps), setups: createConversationSetups(deps) };
}

function createMcpSwitches(deps: SetupDeps): McpSwitches {
	return {
		async servers(id, cwd) {
			const { mcp } = deps.rows.get(id);
			const offered = (await deps.setups?.servers(cwd)) ?? [];
			return offered.flatMap(({ name, isAllowed, server }) =>
				isAllowed && server !== undefined ? [{ name, enabled: mcp[name] !== false, server }] : [],
			);
		},
		async check({ cwd, mcp }, change) {
			const offered = (await deps.setups?.servers(cwd)) ?? [];
			for (const [name, enabled] of Object.entries(change)) {
				const known = offered.find((each) => each.name === name);
				if (known === undefined && !(enabled && mcp[name] === false)) throw unknownServer(name);
				if (enabled && known?.isAllowed === false) throw notTrusted(name);
			}
			const off = Object.entries({ ...mcp, ...change }).filter(([, enabled]) => !enabled);
			return Object.fromEntries(off.slice(-MAX_MCP_SWITCHES));
		},
		async apply(id, change) {
			const setup = deps.held.find(id)?.session.setup;
			for (const [name, enabled] of Object.entries(change)) await setup?.setServer(name, enabled);
		},
	};
}

function createConversationSetups(deps: SetupDeps): ConversationSetups {
	const setupOf = (id: ConversationId): OpenSetup | undefined => deps.held.find(id)?.session.setup;

	/** Both refuse a server that the conversation does not have. */
	async function requireServer(row: ConversationRow, name: string): Promise<void> {
		const offered = (await deps.setups?.servers(row.cwd)) ?? [];
		if (!offered.some((each) => each.name === name && each.isAllowed)) throw unknownServer(name);
	}

	return {
		async get(id) {
			const { cwd, mcp: switches } = deps.rows.get(id);
			const { trusted, found } = (await deps.setups?.look(cwd)) ?? { trusted: false, found: [] };
			const offered = (await deps.setups?.servers(cwd)) ?? [];
			const session = await setupOf(id)?.look();
			const ofFolder = (kind: FolderSetupItem["kind"]) => found.filter((item) => item.kind === kind).map((item) => toItem(item, trusted));
			return {
				trusted,
				mcp: offered.map((server) => toState(server, { enabled: switches[server.name] !== false, session, redact: deps.redactor.text })),
				skills: session?.skills ?? [...ofFolder("skill"), ...ofFolder("command")],
				agents: session?.agents ?? ofFolder("agent"),
				instructions: session?.instructions ?? ofFolder("instructions").map((item) => ({ ...item, enabled: true })),
				open: session !== undefined,
			};
		},
		commands: createAgentCommands(deps),
		goOn: (id) => setupOf(deps.rows.get(id).id)?.goOn(),
		async login(id, name) {
			await requireServer(deps.rows.getOpen(id), name);
			const { setup } = await deps.open(id);
			if (setup === undefined) throw unknownServer(name);
			return setup.login(name);
		},
		async finishLogin(id, name, address) {
			await requireServer(deps.rows.getOpen(id), name);
			const setup = setupOf(id);
			if (setup === undefined) throw loginOver();
			return setup.finishLogin(name, address);
		},
	};
}

function toState(
	{ name, source, isAllowed, problem, hides, server }: OfferedServer,
	how: { enabled: boolean; session: SessionSetup | undefined; redact: (text: string) => string },
): McpServerState {
	const enabled = how.enabled && isAllowed;
	const more = hides === undefined || hides.length === 0 ? {} : { hides };
	const known = { name, source, enabled, ...more };
	if (server === undefined) return { ...known, state: "failed", tools: [], error: problem ?? "It cannot be started." };
	if (!enabled) return { ...known, state: "disabled", tools: [] };
	const told = how.session?.mcp.get(name);
	// One that was switched on, or came, since the session was opened is started with the next prompt.
	if (told === undefined || told.state === "disabled") return { ...known, state: "pending", tools: [] };
	const { error, ...rest } = told;
	return { ...known, ...rest, ...(error === undefined ? {} : { error: how.redact(error) }) };
}

const toItem = ({ name, source }: FolderSetupItem, enabled: boolean): SetupItem => ({ name, source, enabled });

const unknownServer = (given: string) => {
	const server = cutText(given, 80);
	return new AppError("not-found", `There is no MCP server “${server}” here.`, { params: { reason: "mcp-server", server } });
};
const notTrusted = (given: string) => {
	const server = cutText(given, 80);
	return new AppError("forbidden", `The MCP server “${server}” is brought by the folder. Trust the folder first.`, {
		params: { reason: "folder-not-trusted", server },
	});
};
const loginOver = () =>
	new AppError("not-running", "This sign-in has ended or was not taken. Begin again.", { params: { reason: "mcp-login" } });
