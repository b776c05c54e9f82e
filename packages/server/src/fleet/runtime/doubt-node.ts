import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Bucket } from "../bus.ts";
import type { Courier } from "../courier.ts";

/** Whether the node that we are connected to still hears the others. One that is cut off keeps its clients and says nothing of it. */
export interface NodeDoubt {
	/** It was heard and is not any more. */
	silent(host: string): void;
	/** The connection is back: those who were there should be heard soon. */
	resumed(): void;
	close(): void;
}

interface NodeDoubtDeps {
	self: string;
	/** Other hosts that speak often. */
	hosts(): readonly string[];
	/** It was there at the last look, and was heard since then. */
	isHeard(host: string, since: number): boolean;
	leases: Bucket;
	courier: Pick<Courier, "status" | "isAtFirst" | "leaveNode">;
	clock: Pick<Clock, "after" | "elapsed">;
}

/** Long enough for two renewals; one may be that of a host that goes. */
const SUSPECT_MS = 4_000;
const MEET_MS = 8_000;
/** An entry that takes longer is not read: whoever looks stands still meanwhile. */
const READ_MS = 2_000;
/** Whoever is there has spoken once. */
const SOON_MS = 7_000;
/** One of those who are not heard is looked at again: another node may be cut off as well. */
const AGAIN_MS = 15_000;

export function createNodeDoubt({ self, hosts, isHeard, leases, courier, clock }: NodeDoubtDeps): NodeDoubt {
	const never = Number.NEGATIVE_INFINITY;
	let [turn, leftAt, cancelSoon]: [number, number, Cancel] = [0, never, () => undefined];

	/** A host that renews its entry and is not heard is there. If entries cannot be read or not be written, what leads to them may be cut off as well. */
	async function look(host: string, since: number): Promise<void> {
		const began = clock.elapsed();
		// Hosts that lost each other meet at the first node: whoever is there waits for the others.
		const entry = await lookTwice({ leases, host, self, clock, ms: courier.isAtFirst() ? SUSPECT_MS + MEET_MS : SUSPECT_MS });
		const isCutOff = entry === "renewed" || (entry === "unread" && courier.status().kind === "connected");
		// What was seen before we left a node says nothing of the next one.
		if (!isCutOff || isHeard(host, since) || leftAt >= began) return;
		leftAt = clock.elapsed();
		courier.leaveNode();
	}
	function again(): void {
		const unheard = hosts().filter((host) => !isHeard(host, never));
		const host = unheard[turn % unheard.length];
		turn += 1;
		if (host !== undefined) void look(host, never);
		cancelAgain = clock.after(AGAIN_MS, again);
	}
	let cancelAgain = clock.after(AGAIN_MS, again);
	return {
		silent: (host) => void look(host, never),
		resumed() {
			const since = clock.elapsed();
			const expected = hosts().filter((host) => isHeard(host, never));
			cancelSoon();
			cancelSoon = clock.after(SOON_MS, () => {
				const missing = expected.find((host) => !isHeard(host, since));
				if (missing !== undefined) void look(missing, since);
			});
		},
		close() {
			cancelSoon();
			cancelAgain();
		},
	};
}

interface TwoLooks extends Pick<NodeDoubtDeps, "self" | "leases" | "clock"> {
	host: string;
	ms: number;
}

/** While not even our own entry can be renewed, one that is as it was says nothing of its host. */
async function lookTwice({ leases, host, self, clock, ms }: TwoLooks): Promise<"renewed" | "unread" | "same"> {
	const revision = (of: string) =>
		new Promise<number | "none" | "unread">((resolve) => {
			const cancel = clock.after(READ_MS, () => resolve("unread"));
			leases
				.get(`host.${of}`)
				.then(
					(entry) => resolve(entry?.revision ?? "none"),
					() => resolve("unread"),
				)
				.finally(cancel);
		});
	const look = () => Promise.all([revision(host), revision(self)]);
	const before = await look();
	await new Promise<void>((resolve) => void clock.after(ms, resolve));
	const after = await look();
	if (typeof before[0] === "number" && typeof after[0] === "number" && before[0] !== after[0]) return "renewed";
	const isUnread = [...before, ...after].includes("unread") || before[1] === after[1];
	return isUnread ? "unread" : "same";
}
