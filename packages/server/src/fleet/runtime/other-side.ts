import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import type { ConversationId } from "../../core/kernel/ids.ts";
import { conversationId } from "../../core/kernel/ids.ts";
import type { FleetReader } from "../../core/ports/fleet.ts";
import { type CommandClient, createCommandClient } from "../commands/command-client.ts";
import { createOthers, type Others } from "../hosts/others.ts";
import { findCopy } from "../snapshots/find-copy.ts";
import { buckets } from "../subjects.ts";
import { createTakeTurns } from "../take-turns.ts";
import { createNodeDoubt } from "./doubt-node.ts";
import { BEAT_MS } from "./heartbeat.ts";
import { readFromOwner } from "./read-parts.ts";
import { createRemoteWatch, type RemoteWatch } from "./remote-watch.ts";
import type { SessionContext } from "./session-deps.ts";

/** The other hosts, and what is read and asked of them. */
export interface OtherSide extends Pick<Others, "list" | "conversations" | "inbox" | "refresh" | "cutOff" | "resumed"> {
	readonly command: CommandClient["send"];
	watch(id: ConversationId, reader: FleetReader): () => void;
	/** Others know more of who belongs to the fleet than the engine has shown here for a minute. */
	isWithheld(): boolean;
	/** Whatever was said for a while is lost. */
	doubt(): void;
	close(): void;
}

/** Somebody who looks asks a quiet host for a minute of beats. */
const HELLO_MS = 45_000;
const WITHHELD_MS = 60_000;

export function createOtherSide(context: SessionContext, { onNewRun }: { onNewRun: () => void }): OtherSide {
	const { deps, identity, roster, sealer, lookForMembers } = context;
	const { courier, clock, ids } = deps;
	const { bus } = courier;
	const { fleet, keys } = identity;
	const { members } = roster;
	const watches = new Set<RemoteWatch>();
	let aheadSince: number | undefined;
	const intervalOf = (host: string) => others.table.find(host)?.beat?.intervalMs ?? BEAT_MS;
	const of = (host: string) => [...watches].filter((watch) => watch.host === host);
	const others = createOthers({
		...{ fleet, self: keys.host, bus, sealer, members, clock, bucket: bus.bucket(buckets.hosts(fleet)) },
		onBeat(beat, isNewRun) {
			for (const watch of of(beat.host)) {
				watch.beat(beat.heads);
				// Its disk may have been put back, and its beats name only what has changed since.
				if (isNewRun) watch.doubt();
			}
			if (isNewRun) onNewRun();
			if (beat.members.version > members.position().version) {
				lookForMembers();
				aheadSince ??= clock.elapsed();
			} else if (beat.members.version === members.position().version) aheadSince = undefined;
		},
		onSilent(host) {
			for (const watch of of(host)) watch.silent();
			doubt.silent(host);
		},
		prove: (beat) => client.prove(beat),
		onUnopened: lookForMembers,
		onChange: deps.onChange,
	});
	const client = createCommandClient({ fleet, keys, bus, sealer, members, hosts: others.table, clock, ids, maxBytes: courier.maxBytes });
	const copies = courier.copies(fleet);
	const takeTurns = createTakeTurns();
	const watchDeps = {
		...{ fleet, bus, sealer, clock, onUnopened: lookForMembers },
		ask(host: string, own: string, from: Parameters<typeof readFromOwner>[2]) {
			const send = (frame: FleetCommand["frame"]) => client.send({ to: host, conversationId: own, actor: { origin: "web" }, frame });
			return takeTurns(host, () => readFromOwner(send, conversationId(own), from));
		},
		readCopy: (host: string, own: string) => findCopy({ copies, sealer, members }, { fleet, host, conversationId: own }),
	};
	const doubt = createNodeDoubt({
		...{ self: keys.host, courier, clock, leases: bus.bucket(buckets.leases(fleet)), isHeard: others.table.isHeard },
		hosts: () => others.list().flatMap(({ id }) => (intervalOf(id) > BEAT_MS ? [] : [id])),
	});
	function hello(): void {
		for (const host of new Set([...watches].map((watch) => watch.host))) {
			const isQuiet = intervalOf(host) > BEAT_MS;
			const frame = { type: "fleet:hello", data: {} };
			// Without an answer there are fewer beats, and nothing else.
			if (isQuiet) client.send({ to: host, actor: { origin: "web" }, frame }).catch(() => undefined);
		}
		cancelHello = clock.after(HELLO_MS, hello);
	}
	let cancelHello = clock.after(HELLO_MS, hello);
	return {
		...{ list: others.list, conversations: others.conversations, inbox: others.inbox, refresh: others.refresh, command: client.send },
		cutOff: others.cutOff,
		resumed() {
			others.resumed();
			doubt.resumed();
		},
		watch(id, reader) {
			const watch = createRemoteWatch(id, reader, watchDeps);
			if (watch === undefined) return () => undefined;
			watches.add(watch);
			return () => {
				watches.delete(watch);
				watch.close();
			};
		},
		isWithheld: () => aheadSince !== undefined && clock.elapsed() - aheadSince > WITHHELD_MS,
		doubt() {
			for (const watch of watches) watch.doubt();
		},
		close() {
			cancelHello();
			doubt.close();
			for (const watch of watches) watch.close();
			others.close();
		},
	};
}
