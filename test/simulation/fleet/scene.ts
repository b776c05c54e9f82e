import type { FleetHome } from "../../../packages/server/src/fleet/home/fleet-home.ts";
import type { Host } from "../frame/host.ts";
import type { World } from "../frame/part.ts";
import type { Engine } from "./engine.ts";
import type { Examiner } from "./examiner.ts";
import type { FleetRun } from "./fleet-run.ts";
import type { HostClock } from "./host-clock.ts";
import type { Reader } from "./reader.ts";

/** A host of the fleet, over all of its processes. */
export interface Member {
	readonly host: Host;
	/** In the fleet. */
	readonly id: string;
	readonly home: FleetHome;
	/** Of the process that runs. */
	time: HostClock | undefined;
	run: FleetRun | undefined;
	/** How wrong its date is. */
	aheadMs: number;
	/** Copies of its disk, the newest last. */
	readonly copies: string[];
	/** Processes of others that ran when its disk was rolled back without a word: what they have in memory may be of before. */
	readonly witnesses: Set<FleetRun>;
}

/** What a person wrote on one host for a conversation of another. */
export interface Letter {
	readonly marker: string;
	readonly kind: "prompt" | "command";
	readonly clientMessageId: string;
	readonly from: Member;
	readonly to: Member;
	/** On its host. */
	readonly conversationId: string;
	/** The owner has said yes, and this is its id there. */
	acked: string | undefined;
	/** The console has said that it keeps it. */
	isKept: boolean;
	/** Somebody took it back, or the disk of one of the two was put back since: nothing more is promised. */
	isOff: boolean;
}

/** What all steps of the fleet share. */
export interface FleetScene {
	readonly world: World;
	readonly engine: Engine;
	readonly members: readonly Member[];
	readonly readers: Set<Reader>;
	readonly letters: Letter[];
	/** Where a page was found to be what its owner has. */
	readonly alike: WeakMap<Reader, string>;
	readonly examiner: Examiner;
}

/** The processes that run and are awake. */
export const awake = (scene: FleetScene): (Member & { run: FleetRun })[] =>
	scene.members.flatMap((member) => (isAwake(member) ? [member] : []));

export const isAwake = (member: Member): member is Member & { run: FleetRun } =>
	member.run?.life.isAlive() === true && member.time?.isPaused() === false;
