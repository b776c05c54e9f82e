import { startNats, type TestNats } from "../../../test/support/nats.ts";
import { startServer, type TestServer } from "../../../test/support/server.ts";
import { writeToken } from "../../../test/support/write-token.ts";
import { withScratch } from "../scratch.ts";
import { type FleetPlaces, makePlaces } from "./simulated-fleet.ts";

/** How long is waited for what comes by itself; a busy machine is slow. */
const PATIENCE_MS = 120_000;

/** A NATS server and a fleet whose places are taken, for the time of `work`. */
export function withFleet<T>(names: readonly string[], work: (bed: { nats: TestNats; places: FleetPlaces }) => Promise<T>): Promise<T> {
	return withScratch(async (directory) => {
		const nats = await startNats();
		try {
			return await work({ nats, places: await makePlaces(nats.url, directory, names) });
		} finally {
			await nats.close();
		}
	});
}

/** A real server in one of the places; without `url` the same server in no fleet. */
export function startMember(home: string, { url, env = {} }: { url?: string; env?: NodeJS.ProcessEnv } = {}): Promise<TestServer> {
	writeToken(home);
	return startServer({
		...{ home, built: true },
		env: {
			RIGHTSEAT_LOG: "info",
			RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9/v1",
			...(url === undefined ? {} : { RIGHTSEAT_FLEET_URL: url }),
			...env,
		},
	});
}

/** As a reader of the benchmarks wants it. */
export const asRelay = ({ url, token }: TestServer) => ({ url, headers: { authorization: `Bearer ${token}` } });

/** Hosts that this server sees online, itself included. */
export async function onlineHosts(server: TestServer): Promise<number> {
	const { hosts }: { hosts: { state: string }[] } = await (await server.api("/api/hosts")).json();
	return hosts.filter(({ state }) => state === "online").length;
}

/** Other hosts of which this server has had a beat since then. */
export async function heardSince(server: TestServer, at: number): Promise<number> {
	const { hosts }: { hosts: { self: boolean; lastSeen: string | null }[] } = await (await server.api("/api/hosts")).json();
	return hosts.filter(({ self, lastSeen }) => !self && Date.parse(lastSeen ?? "") >= at).length;
}

/** Conversations that this server lists, of all hosts. */
export async function listedConversations(server: TestServer): Promise<number> {
	let [count, cursor]: [number, string | undefined] = [0, ""];
	while (cursor !== undefined) {
		const path: string = `/api/conversations?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`;
		const page: { conversations: unknown[]; nextCursor?: string } = await (await server.api(path)).json();
		count += page.conversations.length;
		cursor = page.nextCursor;
	}
	return count;
}

/** Looks again and again; the milliseconds until it held. */
export async function until(holds: () => Promise<boolean> | boolean, what: string, everyMs = 50): Promise<number> {
	const begin = performance.now();
	while (!(await holds())) {
		if (performance.now() - begin > PATIENCE_MS) throw new Error(`${what} did not come.`);
		await new Promise((resolve) => setTimeout(resolve, everyMs));
	}
	return performance.now() - begin;
}
