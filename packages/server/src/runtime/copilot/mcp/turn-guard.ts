import type { Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { TurnSession } from "../turn/turn.ts";
import { limitedRpc, type ServersHost } from "./sdk-servers.ts";
import type { ServerStates } from "./server-states.ts";
import { leftOutNotice, type Notice, SERVERS_WAIT_MS } from "./start-servers.ts";

/** Stopping must be over within two seconds. */
const BACKGROUND_LIMIT_MS = 500;

/** The session for one turn, in which neither the prompt nor a stop waits for servers: the runtime tries those that failed once more with the prompt. */
export function guardTurn(
	host: ServersHost & TurnSession,
	deps: { clock: Clock; logger: Logger; states: ServerStates; notice(notice: Notice): void; over: Promise<void> },
): TurnSession {
	const { clock, states } = deps;
	const { sdk, gone } = host;
	let cancel: () => void = () => undefined;
	void deps.over.then(() => cancel());

	async function toBackground(): Promise<void> {
		await limitedRpc(sdk.rpc.mcp.moveLoadingToBackground(), { clock, gone, ms: BACKGROUND_LIMIT_MS }).catch((error: unknown) =>
			deps.logger.debug({ err: String(error) }, "Starting MCP servers could not be moved to the background"),
		);
	}
	function letGo() {
		const late = states.starting();
		if (late.length === 0) return;
		deps.notice(leftOutNotice(late));
		void toBackground();
	}

	return {
		gone,
		sdk: {
			send(message) {
				cancel();
				cancel = clock.after(SERVERS_WAIT_MS, letGo);
				return sdk.send(message);
			},
			async abort() {
				if (states.starting().length > 0) await toBackground();
				await sdk.abort();
			},
		},
	};
}
