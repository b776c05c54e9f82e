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
			await new Promise<void>((resolve) => {
				for (const signal of [wait.signal, gone]) signal.addEventListener("abort", () => resolve(), { once: true });
				// Rejects when the session is let go meanwhile; then nobody waits any more.
				startServers(sdk.rpc.mcp, states).then(
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

/** Listing them makes the runtime start them. It does not wait for those whose tools it knows from another session: asking for these tools does. */
export async function startServers(rpc: Pick<ServersRpc, "list" | "listTools">, states: ServerStates): Promise<void> {
	states.listed((await rpc.list()).servers);
	const known = states.starting();
	if (known.length === 0) return;
	await Promise.allSettled(known.map((serverName) => rpc.listTools({ serverName })));
	states.listed((await rpc.list()).servers);
}

/** They are late, and the turn goes on. */
export function leftOutNotice(names: readonly string[]): Notice {
	const servers = names.join(", ");
	const message = `The MCP server ${servers} does not answer. Going on without it.`;
	return { code: "mcp-left-out", message, params: { servers }, lasting: true };
}
