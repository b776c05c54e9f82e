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

/** The node that leads the stream of copies. */
export async function leaderOf(world: FleetWorld): Promise<NodeIndex> {
	return await asOperator(world, async (connection) => {
		const { cluster } = await (await managerOf(connection)).streams.info(copiesOf(world));
		return NODES.find((node) => cluster?.leader === `n${node + 1}`) ?? 0;
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
