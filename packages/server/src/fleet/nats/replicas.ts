import { JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import { errors, type NatsConnection } from "@nats-io/transport-node";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";

/** Servers that have a stream, where there is a cluster. */
const REPLICAS = 3;
/** A cluster that has just started, or has lost a server, has too few of them for a moment. After so long it counts as one that has no more. */
const PATIENCE_MS = 30_000;
const RAISE_EVERY_MS = 60_000;
const ANSWER_MS = 5_000;

/** On how many servers of a cluster a stream is. */
export interface Placement {
	/** On three; on one where there is no cluster, or where one has had too few servers for a while. */
	make<T>(connection: NatsConnection, add: (replicas: number) => Promise<T>): Promise<T>;
	/** A stream that is on one server, because a cluster had too few when it was made, comes to three as soon as it can; else it would be gone with the one. */
	raise(connection: NatsConnection): void;
}

/** `bring`: brings a stream to three servers. */
export function createPlacement(stream: string, clock: Pick<Clock, "elapsed">, bring = bringToAll): Placement {
	let tooFewSince: number | undefined;
	let [isSettled, triedAt] = [false, Number.NEGATIVE_INFINITY];
	return {
		async make(connection, add) {
			isSettled = false;
			try {
				const made = await add(isClustered(connection) ? REPLICAS : 1);
				tooFewSince = undefined;
				return made;
			} catch (error) {
				if (isWithoutCluster(error)) return await add(1);
				if (!isTooFew(error)) throw error;
				tooFewSince ??= clock.elapsed();
				if (clock.elapsed() - tooFewSince >= PATIENCE_MS) return await add(1);
				throw tooFew(error);
			}
		},
		raise(connection) {
			if (isSettled || !isClustered(connection) || clock.elapsed() - triedAt < RAISE_EVERY_MS) return;
			triedAt = clock.elapsed();
			const settle = (is: boolean) => {
				isSettled = is;
			};
			// With a login of its own a host may not, and every try would be in the server's log; the operator can.
			bring(connection, stream).then(
				() => settle(true),
				(error: unknown) => settle(isForbidden(error)),
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
const isForbidden = (error: unknown) => error instanceof errors.RequestError && error.cause instanceof errors.PermissionViolationError;
/** `no suitable peers for placement`. */
const isTooFew = (error: unknown) => hasCode(error, 10_005);

const tooFew = (cause: unknown) =>
	new AppError(
		"fleet-not-connected",
		"NATS has fewer than three servers now, and what it stores must be on three. This host tries again by itself; work on it goes on.",
		{
			cause,
			retryable: true,
			params: { reason: "few-servers" },
		},
	);
