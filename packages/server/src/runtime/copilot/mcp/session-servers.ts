import type { SessionEvent } from "@github/copilot-sdk";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { SessionServer, SessionServerState, TryServer } from "../../../core/ports/agent-setup.ts";
import type { TurnSession } from "../turn/turn.ts";
import { createConnectedServers } from "./connected-servers.ts";
import { createLeftOut } from "./left-out.ts";
import { limitedRpc, type ServersHost, toSdkServers } from "./sdk-servers.ts";
import { createServerStates } from "./server-states.ts";
import { createServerStart, leftOutNotice, type Notice, SERVERS_WAIT_MS } from "./start-servers.ts";
import { guardTurn } from "./turn-guard.ts";

/** `isOut`: the session goes on without it. */
type GivenServer = SessionServer & { isOut: boolean };

export interface SessionServersDeps {
	clock: Clock;
	logger: Logger;
	cwd: string;
	/** What the session shall have, as of now. */
	wanted(): Promise<SessionServer[]>;
	/** For whoever reads the running turn. */
	notice(notice: Notice): void;
	/** Tries a server that took too long on its own, while the conversation goes on without it. */
	tryServer: TryServer;
}

/**
 * The MCP servers of one session. The runtime starts all of them before the first prompt, and a single one that does not answer would hold
 * that prompt, a stop and every question about the others for a minute. So they are started before the prompt is sent; whoever is late is
 * left out, and the session is opened anew without it.
 */
export function createSessionServers(deps: SessionServersDeps) {
	const { clock, logger, notice } = deps;
	const states = createServerStates();
	const start = createServerStart({ clock, states, notice });
	const connected = createConnectedServers({ clock, logger, states });
	const leftOut = createLeftOut();
	/** What the session was opened with, and without. */
	let given: GivenServer[] = [];
	let loaded: ServersHost["sdk"] | undefined;
	let preparing: Promise<boolean> | undefined;

	const mark = (servers: readonly SessionServer[]): GivenServer[] => servers.map((server) => ({ ...server, isOut: leftOut.has(server) }));
	const findGiven = (name: string) => given.find((server) => server.name === name && !server.isOut);
	const isUsed = () => given.some(({ enabled, isOut }) => enabled && !isOut);

	async function prepare(host: ServersHost): Promise<boolean> {
		if (JSON.stringify(mark(await deps.wanted())) !== JSON.stringify(given)) return false;
		if (!isUsed()) return true;
		if (loaded === host.sdk) await connected.restartDead(host);
		else if (!(await load(host))) return false;
		// Whoever uses it next finds out.
		if (host.gone.aborted) return true;
		loaded = host.sdk;
		return leaveOut(await connected.learnTools(host));
	}

	async function load(host: ServersHost): Promise<boolean> {
		const late = await start.wait(host);
		if (late.length > 0) notice(leftOutNotice(late));
		const because = `It did not answer within ${SERVERS_WAIT_MS / 1000} s. Switch it off and on to try it again.`;
		for (const server of late.map(findGiven)) if (server !== undefined) tryAlone(server);
		return leaveOut(new Map(late.map((name) => [name, because])));
	}

	/** False when there was one: the session has to be opened anew. */
	function leaveOut(reasons: ReadonlyMap<string, string>): boolean {
		for (const [name, because] of reasons) {
			const server = findGiven(name);
			if (server !== undefined) leftOut.put(server, because);
		}
		return reasons.size === 0;
	}

	/** A program that is fetched first, for instance, is there at the next prompt. */
	function tryAlone(server: GivenServer) {
		deps.tryServer(server.server, deps.cwd).then(
			({ state, error }) => {
				if (state !== "failed") leftOut.release(server.name);
				else if (error !== undefined) leftOut.explain(server.name, error);
				if (leftOut.has(server)) states.leaveOut(server.name, leftOut.error(server.name) ?? "");
			},
			(error: unknown) => logger.debug({ err: String(error), server: server.name }, "An MCP server that was late could not be tried"),
		);
	}

	function stateOf(name: string): SessionServerState {
		const [state, error] = [states.find(name) ?? "pending", states.error(name)];
		return {
			...{ state, tools: state === "connected" ? connected.tools(name) : [] },
			...(error === undefined ? {} : { error }),
			...(start.isWaiting() && states.starting().includes(name) ? { waiting: true } : {}),
		};
	}

	return {
		/** For opening the session: what it shall have now. */
		async config() {
			given = mark(await deps.wanted());
			loaded = undefined;
			connected.reset();
			states.reset(given);
			for (const { name, isOut, enabled } of given) if (isOut && enabled) states.leaveOut(name, leftOut.error(name) ?? "");
			return toSdkServers(given.filter(({ isOut }) => !isOut));
		},
		handle(event: SessionEvent) {
			states.handle(event);
			if (event.type === "mcp.tools.list_changed") connected.changed(event.data.serverName);
		},
		/** Before a prompt. False: the session has to be opened anew. Bounded in time. */
		prepare(host: ServersHost): Promise<boolean> {
			preparing ??= prepare(host).finally(() => {
				preparing = undefined;
			});
			return preparing;
		},
		isLoaded: (host: ServersHost) => loaded === host.sdk,
		/** For a turn on this session. */
		guard: (host: ServersHost & TurnSession, over: Promise<void>): TurnSession =>
			isUsed() ? guardTurn(host, { clock, logger, states, notice, over }) : host,
		async setServer(name: string, enabled: boolean, host: ServersHost | undefined): Promise<void> {
			leftOut.forget(name);
			connected.forgive(name);
			const server = findGiven(name);
			// Otherwise the session is opened anew with it before the next prompt.
			if (server === undefined || host === undefined || loaded !== host.sdk || server.enabled === enabled) return;
			const { enable, disable } = host.sdk.rpc.mcp;
			try {
				await limitedRpc((enabled ? enable : disable)({ serverName: name }), { clock, gone: host.gone });
				connected.changed(name);
				server.enabled = enabled;
			} catch (error) {
				logger.debug({ err: String(error), server: name }, "An MCP server is switched with the next prompt");
			}
		},
		goOn: start.goOn,
		/** Asks those whose tools are not known yet. */
		learnTools: connected.learnTools,
		states,
		/** All that it shall have, and those that are left out. */
		view: () => new Map(given.map(({ name }) => [name, stateOf(name)])),
	};
}
export type SessionServers = ReturnType<typeof createSessionServers>;
