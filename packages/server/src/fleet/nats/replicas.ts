import { JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import { errors, type NatsConnection } from "@nats-io/transport-node";
import type { Clock } from "../../core/kernel/clock.ts";

/** Servers that have a stream, where there is a cluster. */
const REPLICAS = 3;
/** A cluster that has just started, or has lost a server, has too few of them for a moment. After so long it counts as one that has no more. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 500;
const RAISE_EVERY_MS = 60_000;
const ANSWER_MS = 5_000;

/** On how many servers of a cluster streams are. */
export interface Placement {
	/** On three; on one where there is no cluster, or where one has had too few servers for a while. That may take as long. */
	make<T>(connection: NatsConnection, add: (replicas: number) => Promise<T>): Promise<T>;
	/** A stream that is on one server, because a cluster had too few when it was made, comes to three as soon as it can; else it would be gone with the one. */
	raise(connection: NatsConnection, stream: string): void;
}

interface PlacementDeps {
	clock: Pick<Clock, "elapsed" | "after">;
	/** A stream is not made yet: it is waited for more servers. */
	onFewServers?: (() => void) | undefined;
	/** Brings a stream to three servers. */
	bring?: (connection: NatsConnection, stream: string) => Promise<void>;
}

export function createPlacement({ clock, onFewServers, bring = bringToAll }: PlacementDeps): Placement {
	let fewSince: number | undefined;
	const settled = new Set<string>();
	/** By stream, of which a fleet has a handful. */
	const triedAt = new Map<string, number>();

	/** False: it has been too long. */
	async function waitForServers(): Promise<boolean> {
		if (fewSince === undefined) onFewServers?.();
		fewSince ??= clock.elapsed();
		if (clock.elapsed() - fewSince >= PATIENCE_MS) return false;
		await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
		return true;
	}
	return {
		async make(connection, add) {
			for (;;) {
				try {
					const made = await add(isClustered(connection) ? REPLICAS : 1);
					fewSince = undefined;
					return made;
				} catch (error) {
					if (isWithoutCluster(error)) return await add(1);
					if (!isTooFew(error)) throw error;
					if (await waitForServers()) continue;
					settled.clear();
					return await add(1);
				}
			}
		},
		raise(connection, stream) {
			if (settled.has(stream) || !isClustered(connection)) return;
			if (clock.elapsed() - (triedAt.get(stream) ?? Number.NEGATIVE_INFINITY) < RAISE_EVERY_MS) return;
			triedAt.set(stream, clock.elapsed());
			bring(connection, stream).then(
				() => settled.add(stream),
				(error: unknown) => {
					// With a login of its own a host may not, and every try would be in the server's log; the operator can.
					if (isForbidden(error)) settled.add(stream);
				},
			);
		},
	};
}

async function bringToAll(connection: NatsConnection, stream: string): Promise<void> {
	const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
	const { config } = await manager.streams.info(stream);
	if (config.num_replicas < REPLICAS) await manager.streams.update(stream, { ...config, num_replicas: REPLICAS });
}

const isClustered = (connection: NatsConnection) => connection.info?.cluster !== undefined;
const hasCode = (error: unknown, code: number) => error instanceof JetStreamApiError && error.code === code;
/** `replicas > 1 not supported in non-clustered mode`. */
const isWithoutCluster = (error: unknown) => hasCode(error, 10_074);
/** `no suitable peers for placement`. */
const isTooFew = (error: unknown) => hasCode(error, 10_005);
const isForbidden = (error: unknown) => error instanceof errors.RequestError && error.cause instanceof errors.PermissionViolationError;
