import type { HostInbox } from "@rightseat/protocol/fleet/inbox";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { AppError } from "../../core/kernel/errors.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { Fleet, FleetHost, FleetReader, FleetRequest } from "../../core/ports/fleet.ts";
import { createSealer } from "../crypto/seal.ts";
import type { Identity } from "../home/fleet-home.ts";
import { isAtLeast, lesserRole, type Members } from "../members/members.ts";
import { removeHost } from "../roster/found-fleet.ts";
import { openRoster } from "../roster/roster.ts";
import { createRosterKeeper } from "../roster/roster-keeper.ts";
import { buckets } from "../subjects.ts";
import { keepLease } from "./host-guard.ts";
import { createOtherSide } from "./other-side.ts";
import { createOwnSide, holderOf } from "./own-side.ts";
import type { SessionContext, SessionDeps } from "./session-deps.ts";
import { createSharedTable } from "./shared-table.ts";

/** This host in its fleet, from when it knows who it is until it stops. */
export interface Session {
	/** This one first. */
	hosts(): FleetHost[];
	conversations(): Conversation[];
	inbox(): HostInbox;
	watch(id: ConversationId, reader: FleetReader): () => void;
	command(request: FleetRequest): Promise<string[]>;
	lease(name: string): { fence(): number | undefined; close(): Promise<void> };
	/** Takes a host out, everywhere and for good. */
	remove(host: string): Promise<void>;
	shared: Fleet["shared"];
	/** Why this host does not take part, for a person to mend. */
	problem(): AppError | undefined;
	/** It takes part, but not with everything. */
	warning(): AppError | undefined;
	close(): Promise<void>;
}

export async function openSession(identity: Identity, deps: SessionDeps): Promise<Session> {
	const { courier, clock, logger, home } = deps;
	const { bus } = courier;
	const { fleet, keys } = identity;
	const roster = await openRoster({ ...identity, bus, history: home.history, contentKeys: home.contentKeys, now: clock.now });
	const { members } = roster;
	const context: SessionContext = {
		...{ deps, identity, roster, instance: deps.ids.next(), sealer: createSealer(fleet, roster.held) },
		lookForMembers: () => keeper.look(),
	};
	const lastRun = await home.lastRun();
	await home.keepRun(holderOf(context));
	const own = createOwnSide(context, lastRun);
	const keeper = createRosterKeeper({ roster, bus, fleet, self: keys.host, clock, logger, isServing: own.isServing });
	// It hears of us at once, and not only in a while.
	const other = createOtherSide(context, { onNewRun: own.beat });

	/** For the first time, or again: whatever was said meanwhile is lost. */
	function connected(): void {
		own.tellAll();
		other.resumed();
		other.doubt();
		other.refresh();
		keeper.look();
	}
	const ending = createEnding(members, deps);
	let [wasConnected, keyNumber] = [courier.status().kind === "connected", members.keyNumber()];
	const ends = [
		roster.onChange(() => {
			ending.look();
			other.refresh();
			if (members.keyNumber() !== keyNumber) own.tellAll();
			keyNumber = members.keyNumber();
			deps.onChange();
		}),
		courier.onBack(connected),
		courier.onStatus(() => {
			const isConnected = courier.status().kind === "connected";
			if (!isConnected) other.cutOff();
			if (isConnected && !wasConnected) connected();
			wasConnected ||= isConnected;
		}),
	];
	return {
		hosts: () => [own.shown(), ...other.list()],
		...{ conversations: other.conversations, inbox: other.inbox, watch: other.watch, command: other.command },
		lease: (task) => keepLease(own.leaseOf(task), clock),
		async remove(host) {
			if (members.find(host) === undefined) throw new AppError("host-removed", "This host does not belong to the fleet any more.");
			await removeHost(roster, host);
		},
		shared: (name) => createSharedTable(bus.bucket(buckets[name](fleet)), { fleet, name, host: keys.host, sealer: context.sealer }),
		problem: () => problemOf({ isRemoved: members.isRemoved(keys.host), isForked: roster.isForked(), usedBy: own.usedBy() }),
		warning() {
			if (other.isWithheld()) return withheld();
			return own.copyProblem() === undefined ? undefined : noCopies();
		},
		async close() {
			for (const end of ends) end();
			other.close();
			keeper.close();
			await own.close();
		},
	};
}

/** Sees to it that whoever may not do everything any more has nothing open here. */
function createEnding(members: Members, { owner, allow }: Pick<SessionDeps, "owner" | "allow">) {
	const mayAll = () => new Set(members.list().flatMap(({ host, role }) => (isAtLeast(lesserRole(role, allow), "full") ? [host] : [])));
	let before = mayAll();
	return {
		look() {
			const now = mayAll();
			for (const host of before) if (!now.has(host)) owner.forget(host);
			before = now;
		},
	};
}

interface Trouble {
	isRemoved: boolean;
	isForked: boolean;
	usedBy: string | undefined;
}

function problemOf({ isRemoved, isForked, usedBy }: Trouble): AppError | undefined {
	if (isRemoved) {
		return refused(
			"removed",
			'This host was removed from the fleet. Run "rightseat fleet leave --here", and join again with a new invitation.',
		);
	}
	if (isForked) {
		return refused(
			"forked",
			"NATS shows another history of this fleet than this host has seen. Somebody may be lying; nothing of it is believed.",
		);
	}
	if (usedBy === undefined) return undefined;
	const name = usedBy.replace(/^\S+ /, "");
	const message = `This identity is in use on ${name}: the disk was copied. Run "rightseat fleet leave --here", then join to make a new one.`;
	return refused("in-use", message, { name });
}

const withheld = () =>
	refused(
		"withheld",
		"Other hosts know of a change of members that NATS does not show here. Somebody may hold it back; look at who runs it.",
	);

const noCopies = () => refused("no-copies", "No copies are kept now: JetStream does not take them. What is live goes on.");

const refused = (reason: string, message: string, params = {}) => new AppError("fleet-refused", message, { params: { reason, ...params } });
