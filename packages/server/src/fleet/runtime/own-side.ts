import { isoTime } from "../../core/kernel/clock.ts";
import type { AppError } from "../../core/kernel/errors.ts";
import { conversationId } from "../../core/kernel/ids.ts";
import type { FleetHost } from "../../core/ports/fleet.ts";
import { createCommandMemory } from "../commands/command-memory.ts";
import { createCommandServer } from "../commands/command-server.ts";
import { sealEvent } from "../crypto/sealed-json.ts";
import { createForwardClock } from "../forward-clock.ts";
import { cardOf, type ListChange } from "../hosts/entries.ts";
import { createEntryWriter } from "../hosts/entry-writer.ts";
import { sayChange } from "../hosts/others.ts";
import { createStamps } from "../hosts/stamps.ts";
import { createLease, type Lease } from "../lease/lease.ts";
import { createLeaseCodec } from "../lease/lease-codec.ts";
import { buckets, subjects } from "../subjects.ts";
import { createCopyKeeper } from "./copy-keeper.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createHostGuard } from "./host-guard.ts";
import { createInviteDesk } from "./invite-desk.ts";
import { createReadServer } from "./read-parts.ts";
import type { SessionContext } from "./session-deps.ts";

/** This host as the others see it. */
export interface OwnSide {
	shown(): FleetHost;
	isServing(): boolean;
	/** Another run that is alive has this identity. */
	usedBy(): string | undefined;
	/** Why no copies are kept now. */
	copyProblem(): AppError | undefined;
	/** For a task that one host does for all. */
	leaseOf(task: string): Lease;
	/** Others hear of this host at once. */
	beat(): void;
	/** The engine is there, for the first time or again; or the fleet has a new key. */
	tellAll(): void;
	close(): Promise<void>;
}

/** A turn or a question stands still: the moment for a copy. */
const ENDS = [
	'{"type":"copilot:idle"',
	'{"type":"copilot:user_input_request"',
	'{"type":"copilot:permission_request"',
	'{"type":"copilot:plan_request"',
];
/** Of a run of this disk that is over: nobody else can have used it, unless the disk was copied. */
const EARLY_TAKE_MS = 3_000;

export function createOwnSide(context: SessionContext, lastRun: string | undefined): OwnSide {
	const { deps, identity, roster, sealer, instance } = context;
	const { courier, owner, clock, logger } = deps;
	const { bus, maxBytes } = courier;
	const { fleet, keys, name } = identity;
	const { members } = roster;
	const [self, holder] = [keys.host, holderOf(context)];
	const leaseOf = (task: string, early?: { holder: string; takeMs: number }) =>
		createLease({
			...{ name: task, holder, clock, fences: deps.fences, early },
			bucket: bus.bucket(buckets.leases(fleet)),
			codec: createLeaseCodec(sealer, fleet, task, self),
		});
	const early = lastRun === undefined ? undefined : { holder: lastRun, takeMs: EARLY_TAKE_MS };
	const guard = createHostGuard(leaseOf(`host.${self}`, early), { clock, onChange: tell });
	const { isServing } = guard;
	const now = createForwardClock(clock);
	const stamps = createStamps(now);
	const entries = createEntryWriter({
		...{ fleet, keys, sealer, clock, isServing, stamps, instance, keyNumber: members.keyNumber },
		...{ conversations: owner.conversations, inbox: owner.inbox },
		bucket: bus.bucket(buckets.hosts(fleet)),
		card: () => cardOf({ host: self, name, since: identity.since, version: deps.version }),
		onWritten: () => heartbeat.now(),
	});
	const heartbeat = createHeartbeat({
		...{ fleet, host: self, instance, sealer, bus, members, clock, now, isServing, run: guard.run },
		...{ heads: owner.heads, revision: entries.revision },
	});
	const copies = courier.copies(fleet);
	const copier = createCopyKeeper({ fleet, keys, sealer, copies, owner, maxBytes, clock, onChange: deps.onChange });
	const desk = createInviteDesk({ list: deps.home.listInvites, bus, roster, clock, logger, isServing, share: deps.share });
	const commands = createCommands(context, { now, watched: heartbeat.watched });

	function tell(): void {
		if (isServing()) {
			heartbeat.now();
			entries.changed();
			copier.keepAll();
		}
		deps.onChange();
	}
	const maySay = () => isServing() && !roster.held.isBehind();
	const ends = [
		bus.subscribe(subjects.command(fleet, self), (message) => {
			if (isServing()) void commands.receive(message);
		}),
		owner.onEvent((id, event) => {
			if (isServing())
				copier.changed(
					id,
					ENDS.some((start) => event.frame?.startsWith(start)),
				);
			if (!maySay()) return;
			const { subject, bytes } = sealEvent(sealer, { fleet, host: self, conversationId: id }, event, maxBytes());
			bus.publish(subject, bytes);
		}),
		owner.onConversation((change) => {
			entries.changed("list");
			if (change.kind === "deleted") copier.deleted(conversationId(change.id));
			if (!maySay()) return;
			const at = stamps.next();
			const said: ListChange =
				change.kind === "deleted"
					? { kind: "gone", at, instance, id: change.id }
					: { kind: "put", at, instance, conversation: change.conversation };
			sayChange({ fleet, self, bus, sealer }, said);
		}),
		owner.onInbox(() => {
			entries.changed("inbox");
			if (maySay()) sayChange({ fleet, self, bus, sealer }, { kind: "inbox", at: stamps.next(), instance, inbox: owner.inbox() });
		}),
		copies.onLost(copier.keepAll),
	];
	return {
		...{ isServing, usedBy: guard.usedBy, copyProblem: copier.problem, leaseOf: (task) => leaseOf(task), beat: heartbeat.now },
		shown: () => ({
			...{ id: self, name, self: true, state: isServing() ? "online" : "offline", lastSeen: isoTime(clock.now()), version: deps.version },
		}),
		tellAll() {
			guard.look();
			tell();
		},
		async close() {
			for (const end of ends) end();
			desk.close();
			await Promise.all([entries.close(), copier.close({ keepsRest: isServing() })]);
			heartbeat.close();
			await guard.close();
		},
	};
}

/** Who has a lease: the run, and where it runs for whoever finds it there. */
export const holderOf = ({ instance, deps }: SessionContext) => `${instance} ${deps.machine.slice(0, 60)}`;

function createCommands(context: SessionContext, { now, watched }: { now: () => number; watched: () => void }) {
	const { deps, identity, roster, sealer, instance } = context;
	const { courier, owner, clock, ids, logger, fences } = deps;
	const { fleet, keys, name } = identity;
	const { maxBytes } = courier;
	const read = createReadServer({ owner, maxBytes, clock, ids });
	return createCommandServer({
		...{ fleet, keys, name, instance, sealer, members: roster.members, now, fences, maxBytes, allow: () => deps.allow },
		memory: createCommandMemory(now),
		async run(command) {
			if (command.frame.type === "fleet:read") return await read(command);
			if (command.frame.type !== "fleet:hello") return await owner.run(command);
			watched();
			return [];
		},
		audit: ({ command, verdict }) => owner.audit(command, verdict),
		onUnsigned: (reason) => logger.debug({ reason }, "Something came that no member of the fleet said"),
	});
}
