import { JetStreamApiError } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { AppError } from "../../core/kernel/errors.ts";
import type { Bucket } from "../bus.ts";
import type { NatsLink } from "./nats-link.ts";
import type { Placement } from "./replicas.ts";

/** All entries of one bucket together; cards and lists of a thousand hosts. */
const MAX_BUCKET_BYTES = 67_108_864;
const MAX_VALUE_BYTES = 65_536;
const WRONG_REVISION: readonly number[] = [10_071, 10_164];

/** A table of the engine. One that was deleted is made again; what was in it is for its users to bring back. */
export function createNatsBucket(link: NatsLink, name: string, placement: Placement): Bucket {
	let opened: { connection: NatsConnection; table: Promise<KV> } | undefined;
	async function table(): Promise<KV> {
		const connection = link.line("control");
		if (connection === undefined) throw notConnected();
		if (opened?.connection !== connection) opened = { connection, table: openTable(connection, placement, name) };
		const kv = await opened.table;
		placement.raise(connection, `KV_${name}`);
		link.judgeBy(`KV_${name}`);
		return kv;
	}
	/** What fails may fail because the table is gone: the next call looks for it, and makes it. */
	async function asked<T>(ask: (table: KV) => Promise<T>): Promise<T> {
		try {
			return await ask(await table());
		} catch (error) {
			if (!isWrongRevision(error)) opened = undefined;
			throw error;
		}
	}
	return {
		get: (key) =>
			asked(async (kv) => {
				const entry = await kv.get(key);
				return entry?.operation === "PUT" ? { value: entry.string(), revision: entry.revision } : undefined;
			}),
		async put(key, value, revision) {
			try {
				return await asked((kv) => (revision === undefined ? kv.create(key, value) : kv.update(key, value, revision)));
			} catch (error) {
				if (isWrongRevision(error)) return undefined;
				throw error;
			}
		},
	};
}

async function openTable(connection: NatsConnection, placement: Placement, name: string): Promise<KV> {
	return await placement.make(connection, (replicas) =>
		new Kvm(connection).create(name, {
			...{ history: 1, max_bytes: MAX_BUCKET_BYTES, maxValueSize: MAX_VALUE_BYTES, replicas },
			// Else an older copy of an entry may be answered.
			allow_direct: false,
		}),
	);
}

const isWrongRevision = (error: unknown) => error instanceof JetStreamApiError && WRONG_REVISION.includes(error.code);

const notConnected = () => new AppError("fleet-not-connected", "NATS cannot be reached. Work on this host goes on.", { retryable: true });
