import { errors, type NatsConnection, type NodeConnectionOptions, type Server } from "@nats-io/transport-node";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { connectNats } from "./connect-nats.ts";
import { linkError } from "./link-error.ts";
import type { Logins } from "./logins.ts";

/** One connection to the engine that comes back by itself, whatever happens to it. */
export interface Line {
	/** Undefined while there is none. */
	current(): NatsConnection | undefined;
	/** Also while it is lost and comes back by itself: what is subscribed on it then is heard when it is back. */
	kept(): NatsConnection | undefined;
	state(): LineState;
	/** The server that it uses, or used last. */
	node(): string | undefined;
	/** That one is the first of those that were named. */
	isAtFirst(): boolean;
	/** The other servers that are known, in the order in which they were named. */
	others(): Server[];
	/** Go to this server of the cluster, unless it is there, or if that fails to another one. */
	leaveNode(next: string | undefined): void;
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
	check: (connection: NatsConnection) => boolean;
	/** Rejects when this account must not be used. A cluster that has just lost a node may take seconds to say. */
	checkAccount: (connection: NatsConnection) => Promise<void>;
	onState: () => void;
	/** A new connection, on which nothing is subscribed yet. */
	onOpened: (connection: NatsConnection) => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const UNMOVED_MS = 2_000;
/** After a refusal a person has to change something. */
const REFUSED_PAUSE_MS = 10_000;

export function createLine(deps: LineDeps): Line {
	let state: LineState = { kind: "down", because: undefined };
	let connection: NatsConnection | undefined;
	const choice = createChoice();
	let isClosed = false;
	let wake = () => undefined;
	/** `losses`: how often a connection was lost. */
	let [pauseMs, losses] = [FIRST_PAUSE_MS, 0];

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
	async function open(): Promise<void> {
		const options = deps.options();
		choice.named(options.servers);
		const made = await connectNats({ ...options, reconnectToServer: choice.next });
		try {
			// The client forgets every server that was down before it had connected to one.
			if (Array.isArray(options.servers)) made.setServers(options.servers);
			if (isClosed) return;
			const isUnsafe = deps.check(made);
			await deps.checkAccount(made);
			// Whoever closes meanwhile does not know of it yet, and would wait for its end for ever.
			if (isClosed) return;
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

	/** Until it is closed for good, or the engine refuses the login; rejects when it must not be used. */
	async function follow(made: NatsConnection): Promise<void> {
		let refusal: { error: unknown } | undefined;
		for await (const status of made.status()) {
			if (status.type === "close") break;
			if (status.type === "disconnect") losses += 1;
			// After every refusal the client tells of a lost connection as well: a person must see why.
			if (status.type === "disconnect") set({ kind: "down", because: refusedBefore(state) ?? lost(deps.url) });
			if (status.type === "error" && isAuthError(status.error)) {
				// The client would try again by itself, ten times a second, and can be deaf and dumb when a login is taken at last.
				set({ kind: "down", because: linkError(status.error, deps.url) });
				return;
			}
			if (status.type === "reconnect") {
				choice.leave(undefined);
				deps.logins.accepted();
				set({ kind: "up", isUnsafe: deps.check(made) });
				// Words must not wait for it: whoever reads them would stand still for as long.
				deps.checkAccount(made).catch((error: unknown) => {
					refusal = { error };
					return made.close();
				});
			}
		}
		if (refusal !== undefined) throw refusal.error;
	}

	const running = (async () => {
		while (!isClosed) {
			try {
				await open();
				await pause(FIRST_PAUSE_MS);
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
		kept: () => (connection?.isClosed() === false ? connection : undefined),
		state: () => state,
		node: () => connection?.getServer(),
		isAtFirst: () => connection !== undefined && choice.isFirst(connection.getServer()),
		others() {
			const own = connection?.getServer();
			return choice.inOrder(connection?.getServers() ?? []).filter(({ listen }) => listen !== own);
		},
		leaveNode(next) {
			if (connection === undefined || connection.getServers().length < 2 || connection.getServer() === next) return;
			choice.leave(connection.getServer(), next);
			const [left, before] = [connection, losses];
			// It rejects when it was closed meanwhile; then it comes back as after any end.
			left.reconnect().catch(() => undefined);
			// A client that does not even notice that it is asked to go is of no use any more.
			deps.clock.after(UNMOVED_MS, () => void (losses === before && left.close().catch(() => undefined)));
		},
		async close() {
			isClosed = true;
			wake();
			await connection?.close();
			await running;
		},
	};
}

/** Which server comes next when one was left on purpose. */
function createChoice() {
	let addresses: readonly string[] = [];
	let [suspect, wanted]: [string | undefined, string | undefined] = [undefined, undefined];
	/** Since the suspect was left. */
	const tried = new Set<string>();
	/** Servers that nobody named, but others told of, come last. */
	const placeOf = (server: string) => (addresses.includes(server) ? addresses.indexOf(server) : addresses.length);
	const inOrder = (servers: readonly Server[]) => servers.toSorted((a, b) => placeOf(a.listen) - placeOf(b.listen));
	return {
		named(servers: NodeConnectionOptions["servers"]) {
			addresses = typeof servers === "string" ? [servers] : (servers ?? []);
		},
		inOrder,
		/** Undefined: none was left. */
		leave(server: string | undefined, next?: string) {
			[suspect, wanted] = [server, next];
			tried.clear();
		},
		isFirst: (server: string) => placeOf(server) === 0,
		/** Each of the others once, the wanted one first; then the client chooses: a node in trouble is better than none. */
		next(pool: readonly Server[]): Server | null {
			const others = suspect === undefined ? [] : pool.filter(({ listen }) => listen !== suspect && !tried.has(listen));
			const chosen = others.find(({ listen }) => listen === wanted) ?? inOrder(others)[0];
			if (chosen === undefined) suspect = undefined;
			else tried.add(chosen.listen);
			return chosen ?? null;
		},
	};
}

const refusedBefore = (state: LineState) => (state.kind === "down" && state.because?.code === "fleet-refused" ? state.because : undefined);

const isAuthError = (error: Error) => error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;

const lost = (url: string) =>
	new AppError("fleet-not-connected", `The connection to NATS at ${url} is lost. It comes back by itself; work on this host goes on.`, {
		retryable: true,
		params: { reason: "lost", url },
	});
