import { JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection, Server } from "@nats-io/transport-node";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { CourierStatus } from "../courier.ts";
import { isLoopbackAddress, splitAddresses } from "./addresses.ts";
import { connectNats } from "./connect-nats.ts";
import { connectOptions, type LinkConfig, optionsFor } from "./connect-options.ts";
import { createLogins } from "./logins.ts";
import { createLine, type Line } from "./nats-line.ts";
import { createNodeWatch, type NodeWatch } from "./node-watch.ts";
import { checkServer } from "./server-check.ts";

/** Words of conversations go over `bulk`: a reader that is slow there must not make commands and signs of life late. */
export type LineName = "control" | "bulk";

/** Two connections to the engine, and how they are. */
export interface NatsLink {
	line(name: LineName): NatsConnection | undefined;
	/** For subscriptions: also while it is lost and comes back by itself. */
	kept(name: LineName): NatsConnection | undefined;
	/** For every new connection: what was subscribed on an earlier one is gone. */
	onOpened(listener: (name: LineName, connection: NatsConnection) => void): void;
	status(): CourierStatus;
	onStatus(listener: () => void): () => void;
	onBack(listener: () => void): () => void;
	isAtFirst(): boolean;
	judgeBy: NodeWatch["judgeBy"];
	leaveNode(): void;
	/** Resolves when connected, rejects with why not. */
	ready(): Promise<void>;
	close(): Promise<void>;
}

/** Small control messages: a frozen node is noticed within six seconds. */
const PINGS: Readonly<Record<LineName, { pingInterval: number; maxPingOut: number }>> = {
	control: { pingInterval: 2_000, maxPingOut: 2 },
	bulk: { pingInterval: 5_000, maxPingOut: 3 },
};

export function createNatsLink(config: LinkConfig, deps: { clock: Clock; name: string }): NatsLink {
	const { clock } = deps;
	const isLoopback = splitAddresses(config.url).every(isLoopbackAddress);
	const [opened, changed, back] = [new Set<(name: LineName, nc: NatsConnection) => void>(), new Set<() => void>(), new Set<() => void>()];
	let wasConnected = false;
	let isClosed = false;

	const check = ({ info }: NatsConnection): boolean =>
		info === undefined ? false : checkServer(info, { isLoopback, allowOld: config.allowOld });
	// A newcomer that only knocks may not ask.
	const checkAccount = async (connection: NatsConnection) => (config.door === undefined ? await checkJetStream(connection) : undefined);
	const logins = { control: createLogins(config), bulk: createLogins(config) };
	const optionsOf = (name: LineName) => connectOptions(config, logins[name].authenticator);
	const lineOf = (name: LineName): Line => {
		return createLine({
			...{ url: config.url, clock, check, checkAccount, onState, logins: logins[name] },
			options: () => ({ ...optionsOf(name), ...PINGS[name], name: `rightseat ${name} ${deps.name}` }),
			onOpened: (connection) => {
				for (const listener of opened) listener(name, connection);
			},
		});
	};
	const lines: Readonly<Record<LineName, Line>> = { control: lineOf("control"), bulk: lineOf("bulk") };

	function status(): CourierStatus {
		const states = [lines.control.state(), lines.bulk.state()];
		const down = states.find((state) => state.kind === "down");
		const version = lines.control.current()?.info?.version;
		if (down === undefined && version !== undefined) {
			return { kind: "connected", version, isUnsafe: states.some((state) => state.kind === "up" && state.isUnsafe) };
		}
		const because = down?.kind === "down" ? down.because : undefined;
		return because?.code === "fleet-refused" ? { kind: "refused", because } : { kind: "connecting", because };
	}

	function onState(): void {
		// The first line may report before the second is made.
		clock.soon(() => {
			if (isClosed) return;
			leaveTogether();
			const isConnected = status().kind === "connected";
			for (const listener of changed) listener();
			if (isConnected && !isUp && wasConnected) for (const listener of back) listener();
			wasConnected ||= isConnected;
			isUp = isConnected;
		});
	}
	let isUp = false;

	/** A node that freezes is noticed by the small pings first; words must not wait there until the others notice it as well. */
	function leaveTogether(): void {
		if (lines.control.state().kind !== "up") return;
		const before = controlNode;
		controlNode = lines.control.node();
		if (before !== undefined && before !== controlNode && lines.bulk.node() === before) lines.bulk.leaveNode(controlNode);
	}
	let controlNode: string | undefined;

	const connectTo = async (server: Server) => {
		const connection = await connectNats({ ...optionsFor(server, optionsOf("control")), name: `rightseat look ${deps.name}` });
		try {
			check(connection);
			return connection;
		} catch (error) {
			await connection.close();
			throw error;
		}
	};
	// A newcomer that only knocks may not ask.
	const watch = config.door === undefined ? createNodeWatch({ clock, lines: [lines.control, lines.bulk], connect: connectTo }) : undefined;

	return {
		line: (name) => lines[name].current(),
		kept: (name) => lines[name].kept(),
		onOpened(listener) {
			opened.add(listener);
		},
		status,
		onStatus: (listener) => listen(changed, listener),
		onBack: (listener) => listen(back, listener),
		isAtFirst: lines.control.isAtFirst,
		judgeBy: (stream) => watch?.judgeBy(stream),
		leaveNode: () => void watch?.leaveNode(),
		ready: () =>
			new Promise((resolve, reject) => {
				const judge = () => {
					const now = status();
					if (now.kind === "connected") resolve();
					else if (now.because !== undefined) reject(now.because);
					else return;
					changed.delete(judge);
				};
				changed.add(judge);
				judge();
			}),
		async close() {
			isClosed = true;
			watch?.close();
			await Promise.all([lines.control.close(), lines.bulk.close()]);
		},
	};
}

/** A server can have JetStream while the account has not. That nobody answers now is another matter. */
async function checkJetStream(connection: NatsConnection): Promise<void> {
	try {
		await accountOf(connection);
	} catch (error) {
		const isOff =
			(error instanceof Error && error.name === "JetStreamNotEnabled") || (error instanceof JetStreamApiError && error.code === 10_039);
		if (!isOff) return;
		throw new AppError("fleet-refused", "This account of NATS may not use JetStream. Allow it in the server's configuration.", {
			cause: error,
			params: { reason: "no-account" },
		});
	}
}

async function accountOf(connection: NatsConnection) {
	const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 2_000 });
	return await manager.getAccountInfo();
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}
