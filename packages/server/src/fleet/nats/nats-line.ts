import { connect, errors, type NatsConnection, type NodeConnectionOptions, type Server } from "@nats-io/transport-node";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { linkError } from "./link-error.ts";
import type { Logins } from "./logins.ts";

/** One connection to the engine that comes back by itself, whatever happens to it. */
export interface Line {
	/** Undefined while there is none. */
	current(): NatsConnection | undefined;
	state(): LineState;
	/** Go to another server of the cluster than this one, if there is one. */
	leaveNode(): void;
	close(): Promise<void>;
}

export type LineState = { kind: "up"; isUnsafe: boolean } | { kind: "down"; because: AppError | undefined };

interface LineDeps {
	/** For people. */
	url: string;
	/** Read anew for every try: a file that it names may have changed. */
	options: () => NodeConnectionOptions;
	/** Another way to log in is tried when one is refused. */
	logins: Pick<Logins, "refused" | "accepted">;
	clock: Pick<Clock, "after">;
	/** Throws when this server must not be used; tells whether it has known holes. Asked for every server, because those of a cluster differ. */
	check: (connection: NatsConnection) => Promise<boolean> | boolean;
	onState: () => void;
	/** A new connection, on which nothing is subscribed yet. */
	onOpened: (connection: NatsConnection) => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** After a refusal a person has to change something. */
const REFUSED_PAUSE_MS = 15_000;

export function createLine(deps: LineDeps): Line {
	let state: LineState = { kind: "down", because: undefined };
	let connection: NatsConnection | undefined;
	let suspect: string | undefined;
	let isClosed = false;
	let wake = () => undefined;
	let pauseMs = FIRST_PAUSE_MS;

	const set = (next: LineState) => {
		state = next;
		if (!isClosed) deps.onState();
	};
	const pause = (ms: number) =>
		new Promise<void>((resolve) => {
			if (isClosed) return resolve();
			const cancel = deps.clock.after(ms, resolve);
			wake = () => {
				cancel();
				resolve();
				return undefined;
			};
		});
	/** Anything but the suspect; without one the client chooses. */
	const choose = (pool: readonly Server[]): Server | null => {
		const others = suspect === undefined ? [] : pool.filter(({ listen }) => listen !== suspect);
		return others[Math.floor(Math.random() * others.length)] ?? null;
	};

	async function open(): Promise<void> {
		const made = await connect({ ...deps.options(), reconnectToServer: choose });
		try {
			if (isClosed) return;
			const isUnsafe = await deps.check(made);
			connection = made;
			deps.logins.accepted();
			pauseMs = FIRST_PAUSE_MS;
			deps.onOpened(made);
			set({ kind: "up", isUnsafe });
			await follow(made);
		} finally {
			connection = undefined;
			await made.close();
		}
	}

	/** Until it is closed for good. */
	async function follow(made: NatsConnection): Promise<void> {
		for await (const status of made.status()) {
			if (status.type === "close") return;
			if (status.type === "disconnect") set({ kind: "down", because: lost(deps.url) });
			if (status.type === "error" && isAuthError(status.error)) {
				deps.logins.refused();
				set({ kind: "down", because: linkError(status.error, deps.url) });
			}
			if (status.type === "reconnect") {
				suspect = undefined;
				deps.logins.accepted();
				set({ kind: "up", isUnsafe: await deps.check(made) });
			}
		}
	}

	const running = (async () => {
		while (!isClosed) {
			try {
				await open();
			} catch (error) {
				const because = linkError(error, deps.url);
				if (because.params?.reason === "credentials" && deps.logins.refused()) continue;
				set({ kind: "down", because });
				await pause(because.code === "fleet-refused" ? REFUSED_PAUSE_MS : pauseMs);
				pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
			}
		}
	})();

	return {
		current: () => (state.kind === "up" ? connection : undefined),
		state: () => state,
		leaveNode() {
			if (connection === undefined || connection.getServers().length < 2) return;
			suspect = connection.getServer();
			// It rejects when it was closed meanwhile; then it comes back as after any end.
			connection.reconnect().catch(() => undefined);
		},
		async close() {
			isClosed = true;
			wake();
			await connection?.close();
			await running;
		},
	};
}

const isAuthError = (error: Error) => error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;

const lost = (url: string) =>
	new AppError("fleet-not-connected", `The connection to NATS at ${url} is lost. It comes back by itself; work on this host goes on.`, {
		retryable: true,
		params: { reason: "lost", url },
	});
