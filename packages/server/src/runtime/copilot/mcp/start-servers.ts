import type { Clock } from "../../../core/kernel/clock.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import type { ServersHost, ServersRpc } from "./sdk-servers.ts";
import type { ServerStates } from "./server-states.ts";

/** How long a prompt waits for MCP servers that start, and when a person is told that it does. */
export const SERVERS_WAIT_MS = 5_000;
const SERVERS_NOTICE_MS = 1_500;

/** What the reader of a turn is told. */
export type Notice = Omit<Extract<TurnEvent, { kind: "notice" }>, "kind">;

/** Makes the runtime start the servers of a session, and waits a while for them. */
export interface ServerStart {
	/** Those that were still starting when the wait was over. */
	wait(host: ServersHost): Promise<string[]>;
	/** The wait is over now. */
	goOn(): void;
	isWaiting(): boolean;
}

export function createServerStart(deps: { clock: Clock; states: ServerStates; notice(notice: Notice): void }): ServerStart {
	const { clock, states } = deps;
	let waiting: AbortController | undefined;

	function sayWaiting() {
		const servers = states.starting().join(", ");
		if (servers === "") return;
		deps.notice({ code: "mcp-waiting", message: `Waiting for the MCP server ${servers}.`, params: { servers } });
	}

	return {
		async wait({ sdk, gone }) {
			const wait = new AbortController();
			waiting = wait;
			const cancels = [clock.after(SERVERS_NOTICE_MS, sayWaiting), clock.after(SERVERS_WAIT_MS, () => wait.abort())];
			const over = AbortSignal.any([wait.signal, gone]);
			await new Promise<void>((resolve) => {
				over.addEventListener("abort", () => resolve(), { once: true });
				// Rejects when the session is let go meanwhile; then nobody waits any more.
				startServers(sdk.rpc.mcp, states, over).then(
					() => resolve(),
					() => resolve(),
				);
			});
			for (const cancel of cancels) cancel();
			waiting = undefined;
			return wait.signal.aborted ? states.starting() : [];
		},
		goOn: () => waiting?.abort(),
		isWaiting: () => waiting !== undefined,
	};
}

/**
 * Listing them makes the runtime start them. It does not wait for those whose tools it knows from another session: asking for these tools does. Nor for one that wants a login,
 * while it looks up where to sign in: an event tells when that is known. Whether it is over says the list alone: such a server is said to want a login, to be starting and to
 * want a login again, and any of these words may come later than the list.
 */
export async function startServers(rpc: Pick<ServersRpc, "list" | "listTools">, states: ServerStates, over: AbortSignal): Promise<void> {
	const asked = new Set<string>();
	const changes = listen(states, over);
	try {
		while (!over.aborted) {
			changes.forget();
			const { servers } = await rpc.list();
			if (over.aborted) return;
			states.listed(servers);
			const listed = servers.flatMap(({ name, status }) => (status === "pending" && states.find(name) !== undefined ? [name] : []));
			const starting = new Set([...listed, ...states.starting()]);
			if (starting.size === 0) return;
			const unasked = [...starting].filter((name) => !asked.has(name));
			for (const name of unasked) asked.add(name);
			if (unasked.length > 0) await Promise.allSettled(unasked.map((serverName) => rpc.listTools({ serverName })));
			else await changes.next();
		}
	} finally {
		changes.end();
	}
}

/** `next`: a server has changed since `forget`, or nobody waits any more. */
function listen(states: ServerStates, over: AbortSignal) {
	let changed = false;
	let wake: () => void = () => undefined;
	const note = () => {
		changed = true;
		wake();
	};
	const off = states.onChange(note);
	over.addEventListener("abort", note, { once: true });
	return {
		forget() {
			changed = over.aborted;
		},
		async next() {
			if (changed) return;
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		},
		end() {
			off();
			over.removeEventListener("abort", note);
		},
	};
}

/** They are late, and the turn goes on. */
export function leftOutNotice(names: readonly string[]): Notice {
	const servers = names.join(", ");
	const message = `The MCP server ${servers} does not answer. Going on without it.`;
	return { code: "mcp-left-out", message, params: { servers }, lasting: true };
}
