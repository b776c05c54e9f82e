import { randomBytes } from "node:crypto";
import type { Courier } from "../courier.ts";
import { createHostKeys } from "../crypto/host-keys.ts";
import { commitmentOf } from "../crypto/key-box.ts";
import type { FleetHome, Identity } from "../home/fleet-home.ts";
import type { Role } from "../members/statement.ts";
import { openRoster, type Roster } from "./roster.ts";

interface Founding {
	name: string;
	now: () => number;
	/** The public half of this host's key for the engine. */
	natsKey?: string | undefined;
	newcomers?: Role | undefined;
	/** Rejects when the engine cannot carry this fleet: before anything is said. */
	prepare?(fleet: string): Promise<void>;
}

/** A new fleet with this host as its first member. On failure nothing is left on this disk. */
export async function foundFleet(
	{ bus }: Pick<Courier, "bus">,
	home: FleetHome,
	{ name, now, natsKey, newcomers, prepare }: Founding,
): Promise<{ identity: Identity; roster: Roster }> {
	const [root, keys, key] = [createHostKeys(), createHostKeys(), randomBytes(32)];
	const identity: Identity = { fleet: root.host, name, since: now(), keys, root };
	await home.take(identity);
	try {
		await prepare?.(root.host);
		const roster = await openRoster({ ...identity, bus, history: home.history, contentKeys: home.contentKeys, now });
		const member = { host: keys.host, keys: keys.publicKeys, role: "full", natsKey } as const;
		await roster.say({ kind: "found", root: root.publicKeys, member, number: 1, commitment: commitmentOf(key), newcomers });
		await roster.hold(1, key);
		return { identity, roster };
	} catch (error) {
		await home.leave();
		throw error;
	}
}

/** Takes a host out and gives everybody else a new key; the removal counts even if the key has to wait. */
export async function removeHost(roster: Roster, host: string): Promise<void> {
	await roster.say({ kind: "remove", host });
	await roster.rotate();
}
