import { errors, type NatsConnection, type Subscription } from "@nats-io/transport-node";
import type { Bus, BusMessage } from "../bus.ts";
import { createNatsBucket } from "./nats-bucket.ts";
import type { LineName, NatsLink } from "./nats-link.ts";
import type { Placement } from "./replicas.ts";

interface Wanted {
	subject: string;
	listener: (message: BusMessage) => void;
	held?: Subscription;
}

/** The engine's messages as a bus. Subscriptions outlive connections. */
export function createNatsBus(link: NatsLink, placement: Placement): Bus {
	const wanted = new Set<Wanted>();
	const hold = (entry: Wanted, connection: NatsConnection) => {
		entry.held = connection.subscribe(entry.subject, {
			callback(error, message) {
				if (error !== null) return;
				const { subject, data, reply } = message;
				entry.listener({
					subject,
					bytes: data,
					...(reply === undefined || reply === "" ? {} : { answer: (bytes) => void message.respond(bytes) }),
				});
			},
		});
	};
	link.onOpened((name, connection) => {
		for (const entry of wanted) if (lineOf(entry.subject) === name) hold(entry, connection);
	});
	return {
		publish(subject, bytes) {
			// Without a connection it is lost, as it may be at any time.
			link.line(lineOf(subject))?.publish(subject, bytes);
		},
		async request(subject, bytes, timeoutMs) {
			const connection = link.line("control");
			if (connection === undefined) return { kind: "disconnected" };
			try {
				const reply = await connection.request(subject, bytes, { timeout: timeoutMs });
				return { kind: "reply", bytes: reply.data };
			} catch (error) {
				if (error instanceof errors.RequestError && error.isNoResponders()) return { kind: "no-responders" };
				return { kind: "timeout" };
			}
		},
		subscribe(subject, listener) {
			const entry: Wanted = { subject, listener };
			wanted.add(entry);
			// Not only while it is up: nobody tells of a connection that came back as if it were a new one.
			const connection = link.kept(lineOf(subject));
			if (connection !== undefined) hold(entry, connection);
			return () => {
				wanted.delete(entry);
				entry.held?.unsubscribe();
			};
		},
		bucket: (name) => createNatsBucket(link, name, placement),
	};
}

/** Events are many; everything else is small and must not wait behind them. */
const lineOf = (subject: string): LineName => (/^rs\.[^.]+\.live\./.test(subject) ? "bulk" : "control");
