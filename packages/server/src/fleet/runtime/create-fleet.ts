import type { Cancel } from "../../core/kernel/clock.ts";
import { AppError, toAppError } from "../../core/kernel/errors.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { Fleet, FleetReader, FleetStatus } from "../../core/ports/fleet.ts";
import type { Lifecycle } from "../../core/ports/lifecycle.ts";
import type { Courier } from "../courier.ts";
import { openSession, type Session } from "./session.ts";
import type { SessionDeps } from "./session-deps.ts";

/** How often is looked whether a command has made this host a member, or taken it out. */
const LOOK_MS = 2_000;

export interface FleetDeps extends Omit<SessionDeps, "courier" | "onChange"> {
	/** For people. */
	url: string;
	/** Begins to connect. */
	connect: () => Courier;
}

/**
 * The fleet that this host belongs to, as soon as it belongs to one. It never keeps the server from starting: whatever is wrong is in `status`, and mended
 * without a restart.
 */
export function createFleet(deps: FleetDeps): Fleet & Required<Pick<Lifecycle, "start" | "close">> {
	const { clock, home, logger, url } = deps;
	const listeners = new Set<() => void>();
	const watches = new Set<{ id: ConversationId; reader: FleetReader; end: () => void }>();
	const leases = new Map<string, ReturnType<Session["lease"]>>();
	let courier: Courier | undefined;
	let session: Session | undefined;
	/** Undefined also until it was looked. */
	let problem: AppError | undefined;
	let seen: string | undefined;
	let isClosed = false;
	let cancelLook: Cancel = () => undefined;
	let isTold = true;
	const log = statusLog(logger);

	/** Many changes at once are told once. */
	function changed(): void {
		if (!isTold) return;
		isTold = false;
		clock.soon(() => {
			isTold = true;
			log(status());
			for (const listener of listeners) listener();
		});
	}

	async function look(): Promise<void> {
		const found = await home.version();
		if (found !== seen && courier !== undefined) {
			seen = found;
			await reopen(courier);
		}
		if (!isClosed) cancelLook = clock.after(LOOK_MS, () => void look());
	}

	async function reopen(through: Courier): Promise<void> {
		await closeSession();
		try {
			const identity = await home.find();
			problem = identity === undefined ? noPlace() : undefined;
			if (identity === undefined || isClosed) return;
			session = await openSession(identity, { ...deps, courier: through, onChange: changed });
			for (const watch of watches) watch.end = session.watch(watch.id, watch.reader);
			for (const name of leases.keys()) leases.set(name, session.lease(name));
			logger.info({ fleet: identity.fleet, host: identity.keys.host }, "This host belongs to a fleet");
		} catch (error) {
			problem = toAppError(error);
			logger.warn({ err: error }, "This host's place in its fleet cannot be used");
		} finally {
			changed();
		}
	}

	async function closeSession(): Promise<void> {
		for (const watch of watches) watch.end();
		for (const lease of leases.values()) await lease.close();
		const last = session;
		session = undefined;
		await last?.close();
	}

	function status(): FleetStatus {
		const now = courier?.status() ?? ({ kind: "connecting", because: undefined } as const);
		const ours = problem ?? session?.problem();
		if (ours !== undefined) return { kind: "refused", url, because: ours };
		if (now.kind !== "connected") return { url, ...now };
		return { kind: "connected", url, version: now.version, warning: now.isUnsafe ? unsafe(now.version) : session?.warning() };
	}

	return {
		async start() {
			courier = deps.connect();
			courier.onStatus(changed);
			await look();
		},
		async close() {
			isClosed = true;
			cancelLook();
			await closeSession();
			await courier?.close();
		},
		hosts: () => session?.hosts() ?? [],
		conversations: () => session?.conversations() ?? [],
		inbox: () => session?.inbox() ?? { items: [], snoozed: [] },
		watch(id, reader) {
			const watch = { id, reader, end: session?.watch(id, reader) ?? (() => undefined) };
			watches.add(watch);
			return () => {
				watches.delete(watch);
				watch.end();
			};
		},
		command: (request) => session?.command(request) ?? Promise.reject(problem ?? noPlace()),
		lease(name) {
			if (!leases.has(name) && session !== undefined) leases.set(name, session.lease(name));
			else if (!leases.has(name)) leases.set(name, nobodys);
			return {
				fence: () => leases.get(name)?.fence(),
				async close() {
					const held = leases.get(name);
					leases.delete(name);
					await held?.close();
				},
			};
		},
		shared(name) {
			const table = () => (session === undefined ? Promise.reject(problem ?? noPlace()) : Promise.resolve(session.shared(name)));
			return {
				get: async (key) => (await table()).get(key),
				put: async (key, value, revision) => (await table()).put(key, value, revision),
			};
		},
		status,
		remove: (host) => session?.remove(host) ?? Promise.reject(problem ?? noPlace()),
		onChange(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}

/** Once for each change, so that whoever looks for a reason finds it. */
function statusLog(logger: Logger): (status: FleetStatus) => void {
	let last = "";
	return (status) => {
		const { kind, url } = status;
		const problem = status.kind === "connected" ? status.warning : status.because;
		const said = `${kind} ${problem?.message ?? ""}`;
		if (said === last) return;
		last = said;
		if (problem === undefined) logger.info({ url, status: kind }, "The fleet's connection has changed");
		else logger.warn({ url, status: kind, code: problem.code, params: problem.params }, problem.message);
	};
}

const nobodys = { fence: () => undefined, close: () => Promise.resolve() };

const noPlace = () =>
	new AppError(
		"fleet-refused",
		'This host belongs to no fleet yet. Run "rightseat fleet init" on the first host, "rightseat fleet join CODE" on others.',
		{
			params: { reason: "no-place" },
		},
	);

const unsafe = (version: string) =>
	new AppError(
		"fleet-refused",
		`NATS ${version} has known holes that RIGHTSEAT_FLEET_OLD_SERVER accepts. Update it to 2.12.7, 2.14.0 or newer.`,
		{
			params: { reason: "unsafe-accepted", version },
		},
	);
