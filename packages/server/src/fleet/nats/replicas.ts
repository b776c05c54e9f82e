import { JetStreamApiError } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";

/** Three copies where there is a cluster. */
export const replicasFor = (connection: NatsConnection): number => (connection.info?.cluster === undefined ? 1 : 3);

/** There are fewer servers than copies: `replicas > 1 not supported in non-clustered mode`, `no suitable peers for placement`. */
export const isWithoutCluster = (error: unknown): boolean =>
	error instanceof JetStreamApiError && (error.code === 10_074 || error.code === 10_005);
