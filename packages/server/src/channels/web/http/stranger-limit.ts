import { addressKey } from "../auth/login-limiter.ts";

/** Connections that have not shown a credential yet. One more ends another of them, never the newcomer. */
export const MAX_UNKNOWN_SOCKETS = 512;
/** Logins that are being checked right now; slow hashing must not cost a person the connection that waits for it. */
export const MAX_HELD_SOCKETS = 64;
/** A browser opens this many to one server; whoever holds more gives way first. */
const ORDINARY_SOCKETS = 8;

/** Connections without a credential, with a bound that nobody can turn against the others. */
export interface StrangerLimit {
	add(socket: object, address: string, cut: () => void): void;
	/** It is gone, or it is somebody we know. */
	remove(socket: object): void;
	/** Does not count it until the result is called; past the limit on held ones it still counts. */
	hold(socket: object): () => void;
	size(): number;
}

export function createStrangerLimit(): StrangerLimit {
	const members = new Map<object, { key: string; cut: () => void }>();
	const byAddress = new Map<string, Set<object>>();
	const held = new Set<object>();

	function put(socket: object, member: { key: string; cut: () => void }) {
		members.set(socket, member);
		byAddress.set(member.key, (byAddress.get(member.key) ?? new Set()).add(socket));
	}
	function remove(socket: object) {
		const member = members.get(socket);
		if (member === undefined) return undefined;
		members.delete(socket);
		const siblings = byAddress.get(member.key);
		siblings?.delete(socket);
		if (siblings?.size === 0) byAddress.delete(member.key);
		return member;
	}
	/** The oldest of the address that holds the most, or the oldest of all when nobody holds more than a browser would. */
	function oldestOfCrowd(): object | undefined {
		let most = new Set<object>();
		for (const sockets of byAddress.values()) if (sockets.size > most.size) most = sockets;
		return (most.size > ORDINARY_SOCKETS ? most : members).keys().next().value;
	}

	return {
		add(socket, address, cut) {
			put(socket, { key: addressKey(address), cut });
			// More than one when held ones came back.
			for (let surplus = members.size - MAX_UNKNOWN_SOCKETS; surplus > 0; surplus -= 1) {
				const victim = oldestOfCrowd();
				if (victim !== undefined) remove(victim)?.cut();
			}
		},
		remove(socket) {
			held.delete(socket);
			remove(socket);
		},
		hold(socket) {
			const member = held.size < MAX_HELD_SOCKETS ? remove(socket) : undefined;
			if (member === undefined) return () => undefined;
			held.add(socket);
			// It goes back to the end of the queue, unless it closed or logged in meanwhile.
			return () => void (held.delete(socket) && put(socket, member));
		},
		size: () => members.size,
	};
}
