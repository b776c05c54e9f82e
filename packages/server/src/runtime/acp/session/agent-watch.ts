import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { AcpLimits } from "../acp-definition.ts";
import type { Peer } from "../peer/peer.ts";
import type { AgentProcess } from "../process/agent-process.ts";

/** Any request that an agent does not know is answered with an error at once; so nobody has to know this one. */
const PING = "_rightseat/ping";
/** More than a pipe holds: whoever reads its input has taken it before the next look. */
export const PROBE_CHARS = 512 * 1024;

/**
 * Watches agents for signs of life. One without any for too long is frozen. One that has never answered a ping may simply leave unknown requests alone: it is
 * judged by whether its process is stopped, and by whether it still reads what it is sent. Nobody is blamed for what we did not read, or
 * for a delay of our own process.
 */
export function createAgentWatch(
	deps: {
		peer: Pick<Peer, "send" | "notify" | "isHeld" | "heardAt" | "unsent">;
		child: Pick<AgentProcess, "isStopped">;
		clock: Clock;
		limits: Pick<AcpLimits, "pingEveryMs" | "frozenAfterMs">;
	},
	onFrozen: () => void,
): (isWaiting: () => boolean) => Cancel {
	const { peer, child, clock, limits } = deps;
	let answers = false;
	const ping = () =>
		peer.send(PING, {}, ({ kind }) => {
			answers ||= kind !== "gone";
		});
	ping();
	return function watch(isWaiting) {
		let aliveAt = clock.elapsed();
		let dueAt = clock.elapsed();
		let isOver = false;
		let isProbed = false;
		let cancel: Cancel = next();
		ping();
		function next(): Cancel {
			dueAt = clock.elapsed() + limits.pingEveryMs;
			return clock.after(limits.pingEveryMs, look);
		}
		function look(): void {
			const now = clock.elapsed();
			const isOurDelay = now - dueAt > limits.pingEveryMs;
			const heardAt = aliveAt;
			aliveAt = peer.isHeld || isOurDelay ? now : Math.max(aliveAt, peer.heardAt);
			if (aliveAt !== heardAt) isProbed = false;
			const isSilent = now - aliveAt >= limits.frozenAfterMs;
			if (isSilent && (answers || isDeaf())) {
				onFrozen();
				return;
			}
			if (isSilent) void endIfStopped();
			else ping();
			cancel = next();
		}
		/** It was sent more than its pipe holds, and has not read it since the last look. */
		function isDeaf(): boolean {
			if (isWaiting()) return false;
			if (isProbed && peer.unsent > 0) return true;
			if (!isProbed) peer.notify(PING, { padding: " ".repeat(PROBE_CHARS) });
			isProbed = true;
			return false;
		}
		async function endIfStopped(): Promise<void> {
			if ((await child.isStopped()) && !isOver) onFrozen();
		}
		return () => {
			isOver = true;
			cancel();
		};
	};
}
