import type { IdSource } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Random } from "../../faults/random.ts";
import type { FakeClock } from "../../support/fake-clock.ts";
import type { Host, HostOptions } from "./host.ts";
import type { Life } from "./life.ts";
import type { Trace } from "./trace.ts";

/** One step of a plan: plain data, so that a plan can be printed, replayed and shrunk. What `a`, `b` and `c` mean is the kind's own business. */
export interface Step {
	readonly part: string;
	readonly kind: string;
	/** Chance, from 0 up to and without 1, with four decimals. */
	readonly a: number;
	readonly b: number;
	readonly c: number;
	/** How much time passes after it. */
	readonly waitMs: number;
	/** Its place in the plan that was generated; stays when others are left out, so that names made of it stay too. */
	readonly at: number;
}

/** A kind of step that a part brings. */
export interface StepKind {
	readonly name: string;
	/** How often, beside the others. */
	readonly weight: number;
	/** It breaks something: a round without faults leaves it out, and the report counts it as a fault. */
	readonly isFault?: true;
}

/** A kind of step that breaks something. */
export const fault = (name: string, weight: number): StepKind => ({ name, weight, isFault: true });

/** A part of the simulation: people, machines and networks of one kind, and what must hold for them. Pure data until it joins a world. */
export interface Part {
	readonly name: string;
	readonly kinds: readonly StepKind[];
	/** The promises that it checks, by name, each with its sentence for the document. */
	readonly invariants: Readonly<Record<string, string>>;
	/** Things that must happen now and then, or the rounds prove less than they seem to: names given to `world.count`. */
	readonly covers: readonly string[];
	/** It brings its own hosts and plays without the others, in one of so many rounds. */
	readonly aloneEvery?: number;
	/** It plays with the others, in one of so many rounds: in all of them unless told. */
	readonly joinsEvery?: number;
	join(world: World): JoinedPart;
}

/** A part in one round. Everything is optional except what its steps do. */
export interface JoinedPart {
	/** What each of its kinds does; a step that makes no sense now does nothing. A death of a server in the middle of it is caught by the frame. */
	readonly play: Readonly<Record<string, (step: Step) => void | Promise<void>>>;
	/** Once, before the first step and after every host was started. */
	begin?(): void | Promise<void>;
	/** A process of this host has just begun; recovery is over, nothing has been shown yet. */
	started?(host: Host, life: Life): void;
	/** It is gone: killed, without power, or stopped in order. `life` does nothing more. */
	ended?(host: Host, life: Life): void;
	/** It is told to stop: what the channel does before core closes. */
	stopping?(host: Host, life: Life): void | Promise<void>;
	/** After every step, cheap. */
	check?(): void;
	/** The faults of this part are over: networks carry, people are there. */
	calm?(): void;
	/** One more bit of what agents and people would do to come to rest; false: something is still under way. Called until every part says true. */
	rest?(): boolean | Promise<boolean>;
	/** At peace, thorough. */
	examine?(): void | Promise<void>;
	/** The round is over, whatever came of it. */
	close?(): void;
}

/** What parts share in a round. */
export interface World {
	readonly seed: number;
	/** The one time; nothing happens on any other. */
	readonly clock: FakeClock;
	readonly ids: IdSource;
	readonly trace: Trace;
	readonly hosts: readonly Host[];
	/** The host that the core part works on. */
	readonly host: Host;
	/** What outsiders were told and did, over all lives of all hosts. */
	readonly ledger: Ledger;
	/** Faults are over. */
	readonly isCalm: boolean;
	/** Chance of its own for whoever asks, from the seed and the name: asking more often changes nobody else's. */
	random(name: string): Random;
	addHost(options: HostOptions): Host;
	/** For the table of what happened. */
	count(what: string): void;
	/** A promise is broken: the round ends with this. Only the first counts. */
	violate(invariant: string, detail: string): void;
	/** Lets everything run that needs no time, and the disk finish what it can finish now. */
	settle(): Promise<void>;
}

/** What a person sent, wherever it went. */
export interface Sent {
	/** In its text, and in no other. */
	readonly marker: string;
	readonly kind: "prompt" | "command";
	readonly conversationId: string;
	readonly clientMessageId: string | undefined;
	/** The server said yes, and this is its id there. */
	acked: string | undefined;
	/** It said no and will not have it. */
	refused: boolean;
	/** The person took it back: out of the queue, out of the page's outbox, or with its conversation. */
	dropped: boolean;
	/** So many times it reached the agent or the shell. */
	ran: number;
}

export interface Ledger {
	readonly sent: ReadonlyMap<string, Sent>;
	/** A person sends this. The text that goes out must hold the marker. */
	send(what: Pick<Sent, "marker" | "kind" | "conversationId" | "clientMessageId">): Sent;
	/** The server has confirmed it to the person, durably. */
	acked(marker: string, id: string): void;
	/** It has begun to run: agent or shell has it. */
	ran(text: string): void;
	/** How often, also of what nobody sent and a schedule did. */
	readonly timesRan: ReadonlyMap<string, number>;
	/** A reader was shown this event. */
	shown(event: { conversationId: string; epoch: string; seq: number; frame: string }): void;
	/** Events that readers were shown, by conversation. */
	readonly events: ReadonlyMap<string, ReadonlyMap<string, string>>;
	/** A reader was shown these messages in a snapshot. */
	listed(conversationId: string, messages: readonly { id: string }[]): void;
	/** Ids of those messages, by conversation. */
	readonly messages: ReadonlyMap<string, ReadonlySet<string>>;
	/** Conversations whose deletion was asked for; true: confirmed. */
	readonly deleted: Map<string, boolean>;
}
