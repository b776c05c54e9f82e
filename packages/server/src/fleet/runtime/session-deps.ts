import type { IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { FleetOwner } from "../../core/ports/fleet.ts";
import type { Fences } from "../commands/fences.ts";
import type { Courier } from "../courier.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { FleetClock } from "../fleet-clock.ts";
import type { FleetHome, Identity } from "../home/fleet-home.ts";
import type { Role } from "../members/statement.ts";
import type { Welcome } from "../pairing/pair-messages.ts";
import type { Roster } from "../roster/roster.ts";

/** What a host needs to take part in its fleet. */
export interface SessionDeps {
	courier: Courier;
	home: FleetHome;
	owner: FleetOwner;
	fences: Fences;
	/** However much a host was given, here it may do no more than this. */
	allow: Role;
	/** Of Rightseat. */
	version: string;
	/** What this machine is called, for whoever finds its identity in use. */
	machine: string;
	/** What newcomers are sent for their way to the engine. */
	share?: (() => Pick<Welcome, "credentials" | "door">) | undefined;
	clock: FleetClock;
	ids: IdSource;
	logger: Logger;
	/** Hosts, conversations or problems may be others now. */
	onChange(): void;
}

/** One run of a host in its fleet: what both of its sides share. */
export interface SessionContext {
	deps: SessionDeps;
	identity: Identity;
	roster: Roster;
	sealer: Sealer;
	/** Of this run. */
	instance: string;
	/** Keys or members may be missing here. */
	lookForMembers(): void;
}
