import { DiscardPolicy, JetStreamApiError, jetstream, jetstreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { AppError } from "../../core/kernel/errors.ts";
import type { Bus } from "../bus.ts";
import type { Copies } from "../snapshots/copies.ts";
import type { NatsLink } from "./nats-link.ts";
import type { Placement } from "./replicas.ts";

/** All copies of one fleet together; the oldest give way. */
const MAX_COPIES_BYTES = 4_294_967_296;
const MAX_AGE_MS = 30 * 86_400_000;
const ACK_MS = 2_000;
const NANOS = 1_000_000;

/** The stream that keeps the newest message of every subject of copies. It is made when it is missing. */
export function createNatsCopies(link: NatsLink, bus: Pick<Bus, "subscribe">, fleet: string, placement: Placement): Copies {
	const name = `RS_${fleet}_SNAP`;
	const lost = new Set<() => void>();
	let lastSeq = 0;
	let ready: { connection: NatsConnection; made: Promise<void> } | undefined;

	function connected(): NatsConnection {
		const connection = link.line("control");
		if (connection !== undefined) return connection;
		throw new AppError("fleet-not-connected", "NATS cannot be reached. Work on this host goes on.", { retryable: true });
	}
	async function ensure(connection: NatsConnection): Promise<void> {
		if (ready?.connection !== connection) ready = { connection, made: makeStream(connection, placement, name, fleet) };
		await ready.made;
	}
	async function asked<T>(ask: (connection: NatsConnection) => Promise<T>): Promise<T> {
		const connection = connected();
		try {
			await ensure(connection);
			placement.raise(connection, name);
			return await ask(connection);
		} catch (error) {
			// The stream may be gone: the next call looks for it, and makes it.
			ready = undefined;
			throw error;
		}
	}
	return {
		keep: (parts) =>
			asked(async (connection) => {
				const client = jetstream(connection, { timeout: ACK_MS });
				for (const { subject, bytes } of parts) {
					const { seq } = await client.publish(subject, bytes, { timeout: ACK_MS, expect: { streamName: name } });
					// A stream that counts from one again is another stream.
					if (seq <= lastSeq) for (const listener of lost) listener();
					lastSeq = seq;
				}
			}),
		find: (subject) =>
			asked(async (connection) => {
				const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ACK_MS });
				const message = await manager.streams.getMessage(name, { last_by_subj: subject });
				return message?.data;
			}),
		drop: (filter) =>
			asked(async (connection) => {
				const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ACK_MS });
				await manager.streams.purge(name, { filter });
			}),
		onLost(listener) {
			lost.add(listener);
			const end = bus.subscribe(deletedSubject(fleet), () => {
				ready = undefined;
				lastSeq = 0;
				listener();
			});
			return () => {
				end();
				lost.delete(listener);
			};
		},
	};
}

/** Where the engine itself tells that the stream of copies was deleted; else that is noticed when the next copy is kept. */
export const deletedSubject = (fleet: string) => `$JS.EVENT.ADVISORY.STREAM.DELETED.RS_${fleet}_SNAP`;

async function makeStream(connection: NatsConnection, placement: Placement, name: string, fleet: string): Promise<void> {
	const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ACK_MS });
	try {
		await manager.streams.info(name);
		return;
	} catch (error) {
		if (!(error instanceof JetStreamApiError) || error.code !== 10_059) throw error;
	}
	const add = (num_replicas: number) =>
		manager.streams.add({
			...{ name, subjects: [`rs.${fleet}.snap.>`], retention: RetentionPolicy.Limits, storage: StorageType.File, num_replicas },
			...{ max_msgs_per_subject: 1, max_age: MAX_AGE_MS * NANOS, max_bytes: MAX_COPIES_BYTES, discard: DiscardPolicy.Old },
		});
	try {
		await placement.make(connection, add);
	} catch (error) {
		if (isWithoutRoom(error)) throw noRoom(error);
		// Another host was faster.
		if (!(error instanceof JetStreamApiError) || error.code !== 10_058) throw error;
	}
}

/** Copies, and the tables beside them. */
const NEEDED_GIGABYTES = 5;
/** The account's limit, the server's limit, or its disk. */
const WITHOUT_ROOM: readonly number[] = [10_002, 10_023, 10_028, 10_047];
const isWithoutRoom = (error: unknown) => error instanceof JetStreamApiError && WITHOUT_ROOM.includes(error.code);

const noRoom = (cause: unknown) =>
	new AppError(
		"fleet-refused",
		`JetStream has no room for a fleet, which needs ${NEEDED_GIGABYTES} GB on disk. Raise max_file_store, or the account's limit.`,
		{ cause, params: { reason: "small-store", gigabytes: NEEDED_GIGABYTES } },
	);
