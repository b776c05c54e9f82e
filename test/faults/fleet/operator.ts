import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { subjects } from "../../../packages/server/src/fleet/subjects.ts";
import { wait } from "../wait.ts";
import { NODES, type NodeIndex } from "./cluster.ts";
import type { Stage } from "./stage.ts";
import type { FleetWorld } from "./world.ts";

/** What whoever runs NATS can see and do. */

export const copiesOf = ({ fleet }: Pick<FleetWorld, "fleet">) => `RS_${fleet}_SNAP`;

/** As the operator, on a connection of its own. */
export async function asOperator<T>(world: FleetWorld, act: (connection: NatsConnection) => Promise<T>): Promise<T> {
	const connection = await world.operator();
	try {
		return await act(connection);
	} finally {
		await connection.close();
	}
}

export const managerOf = (connection: NatsConnection) => jetstreamManager(connection, { checkAPI: false, timeout: 5_000 });

/** So long a node that was killed before may take until it has what the others have. */
const CATCH_UP_MS = 60_000;

/** The node that leads the stream of copies, as soon as both others have all of it: else nobody could follow a dead leader. */
export async function leaderOf(world: FleetWorld): Promise<NodeIndex> {
	return await asOperator(world, async (connection) => {
		const manager = await managerOf(connection);
		for (const since = Date.now(); ; await wait(200)) {
			// While the nodes elect a leader nobody answers.
			const { cluster } = (await manager.streams.info(copiesOf(world)).catch(() => undefined)) ?? {};
			const leader = NODES.find((node) => cluster?.leader === `n${node + 1}`);
			const others = (cluster?.replicas ?? []).filter(({ current, offline }) => current && offline !== true);
			if (leader !== undefined && others.length === NODES.length - 1) return leader;
			if (Date.now() - since > CATCH_UP_MS) throw new Error("The nodes do not have the same copies, a minute after the fault before.");
		}
	});
}

/** When the newest copy of the stage's conversation was kept; 0 when there is none. */
export async function copyTime({ world, conversationId }: Stage): Promise<number> {
	return await asOperator(world, async (connection) => {
		const subject = subjects.snapshot(world.fleet, world.seats.desk.id, conversationId, 0);
		const found = await (await managerOf(connection)).streams.getMessage(copiesOf(world), { last_by_subj: subject }).catch(() => undefined);
		return found == null ? 0 : found.time.getTime();
	});
}

/** Everything that is said under a subject while `act` runs. */
export async function overhear(connection: NatsConnection, subject: string): Promise<{ heard: { subject: string; bytes: Uint8Array }[] }> {
	const heard: { subject: string; bytes: Uint8Array }[] = [];
	connection.subscribe(subject, { callback: (_, message) => void heard.push({ subject: message.subject, bytes: message.data }) });
	await connection.flush();
	// The other nodes hear of it a moment later.
	await wait(1_000);
	return { heard };
}
