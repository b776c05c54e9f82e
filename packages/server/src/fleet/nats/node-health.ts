import { type ClusterInfo, JetStreamApiError, jetstreamManager, type PeerInfo, type StreamInfo } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";

/** A question to JetStream that nobody answers is one that nobody will. */
const ANSWER_MS = 2_000;
/** The node that leads a stream hears from the others every second. */
const HEARD_NS = 4_000_000_000;
const NO_STREAM = 10_059;

/**
 * Whether a node still works with most of the others. One that is cut off keeps its clients and says nothing; for ten seconds it goes on answering
 * whatever it led before, so that somebody answers is not enough. `stream`: one that is kept on several nodes.
 */
export async function isWorking(connection: NatsConnection, stream: string | undefined): Promise<boolean> {
	try {
		const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
		const group = stream === undefined ? undefined : await groupOf(manager.streams.info(stream));
		if (group?.replicas !== undefined && group.replicas.length > 0) return hasMost(group, group.replicas);
		// Without several nodes for it, those who lead the cluster must answer.
		await manager.getAccountInfo();
		return true;
	} catch {
		return false;
	}
}

/** Undefined: it is on one node, or was deleted, which is no fault of the node. */
async function groupOf(asked: Promise<StreamInfo>): Promise<StreamInfo["cluster"]> {
	try {
		return (await asked).cluster;
	} catch (error) {
		if (error instanceof JetStreamApiError && error.code === NO_STREAM) return undefined;
		throw error;
	}
}

function hasMost({ leader = "" }: ClusterInfo, others: readonly PeerInfo[]): boolean {
	const heard = others.filter(({ active, offline }) => offline !== true && active < HEARD_NS);
	return leader !== "" && (1 + heard.length) * 2 > 1 + others.length;
}
