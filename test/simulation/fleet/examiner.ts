import { COMMAND_LIFE_MS, type FleetCommand } from "@rightseat/protocol/fleet/command";
import type { IdSource } from "../../../packages/server/src/core/kernel/ids.ts";
import { isRead, needsInstance } from "../../../packages/server/src/fleet/members/roles.ts";
import type { World } from "../frame/part.ts";
import type { Witness } from "./fleet-run.ts";
import type { Shown } from "./reader.ts";
import { isAwake, type Letter, type Member } from "./scene.ts";

/** Sees what hosts ask of each other, carry out and show, and says what must not be. */
export interface Examiner {
	witness(member: Member): Witness;
	/** Ids for what this host does in its fleet. */
	ids(): IdSource;
	shown: Shown;
	/** The owner itself has said this event. */
	said: Shown;
	/** Events that pages were shown, by host and conversation, and by epoch and number. */
	shownOf(member: Member): ReadonlyMap<string, ReadonlyMap<string, string>>;
	/** The highest number that this host knows, or under which it carried out something. */
	fenceOf(member: Member, lease: string): number;
	/** Its date was set back by so much. */
	setBack(member: Member, ms: number): void;
	/** Its disk was put back: nothing that it has said since is promised. */
	putBack(member: Member, letters: readonly Letter[]): void;
	/** After every step. */
	check(members: readonly Member[]): void;
}

/** A sender may take the clock of a receiver for ahead by as much. */
const SLACK_MS = 30_000;

interface Carried {
	/** By the number of the process. */
	readonly doneIn: Set<number>;
	audited: number;
	done: number;
}

export function createExaminer(world: World): Examiner {
	const made = new Map<string, number>();
	const asked = new Set<string>();
	const carried = new Map<string, Carried>();
	const setBackMs = new Map<string, number>();
	const fences = new Map<string, number>();
	const shown = new Map<string, Map<string, Map<string, string>>>();
	/** Said, and since its disk was put back no part of any history: it may still be on its way. */
	const [said, replaced] = [new Map<string, Set<string>>(), new Set<string>()];
	const unaudited = new Map<string, { member: Member; life: number; type: string }>();

	/** The same words may be asked for twice; what was never asked for must not be done. */
	const askedKey = (command: Pick<FleetCommand, "to" | "frame" | "conversationId">, from: string) =>
		`${from} ${command.to} ${command.conversationId ?? ""} ${JSON.stringify(command.frame)}`;
	const keyOf = ({ to, from, id }: FleetCommand) => `${to} ${from} ${id}`;
	function carriedOf(command: FleetCommand): Carried {
		const known = carried.get(keyOf(command)) ?? { doneIn: new Set<number>(), audited: 0, done: 0 };
		carried.set(keyOf(command), known);
		return known;
	}
	const fenceOf = (member: Member, lease: string) =>
		Math.max(fences.get(`${member.id} ${lease}`) ?? 0, member.run?.life.fleetStore?.fences.list().get(lease) ?? 0);
	function begun(member: Member, command: FleetCommand): void {
		const { frame, id, from, to, fence } = command;
		const what = `${frame.type} ${id} of ${from}`;
		if (to !== member.id) world.violate("fleet-only-asked", `${what} for ${to} was carried out by ${member.host.name}`);
		if (!asked.has(askedKey(command, from))) world.violate("fleet-only-asked", `${what} was never asked for: ${JSON.stringify(frame)}`);
		const lateMs = world.clock.elapsed() - (made.get(id) ?? Number.NEGATIVE_INFINITY);
		if (lateMs > COMMAND_LIFE_MS + SLACK_MS + (setBackMs.get(to) ?? 0))
			world.violate("fleet-in-time", `${what} was carried out ${lateMs} ms after it was asked for`);
		if (carriedOf(command).done > 0 && !isRead(frame.type) && needsInstance(frame.type))
			world.violate("fleet-once", `${what} was carried out again`);
		// What is only read harms nobody, whoever holds the task.
		if (fence === undefined || isRead(frame.type)) return;
		world.count("fleet: a command under a lease");
		const known = fenceOf(member, fence.lease);
		if (fence.number < known) world.violate("fleet-one-holder", `${what} came with ${fence.number} after ${known}`);
		fences.set(`${to} ${fence.lease}`, Math.max(fence.number, known));
	}
	function ended(member: Member, command: FleetCommand): void {
		const [record, life] = [carriedOf(command), member.run?.life.number ?? -1];
		if (isRead(command.frame.type)) return;
		if (record.doneIn.has(life)) world.violate("fleet-once", `${command.frame.type} ${command.id} was done twice by one process`);
		record.doneIn.add(life);
		record.done += 1;
		unaudited.set(`${keyOf(command)} ${life}`, { member, life, type: command.frame.type });
	}

	return {
		witness: (member) => ({
			asked: (request) => void asked.add(askedKey(request, member.id)),
			ran(command, outcome) {
				if (member.run?.life.isAlive() !== true) return;
				world.trace.note(`${member.host.name} ${command.frame.type} ${command.id} ${outcome}`);
				if (outcome === "begun") begun(member, command);
				if (outcome === "done") ended(member, command);
			},
			audited(command, verdict) {
				if (member.run?.life.isAlive() !== true) return;
				world.trace.note(`${member.host.name} audit ${command.frame.type} ${command.id} ${verdict}`);
				if (verdict !== "done") return world.count(`fleet: refused with ${verdict}`);
				if (!unaudited.delete(`${keyOf(command)} ${member.run?.life.number ?? -1}`))
					world.violate("fleet-audited", `${command.frame.type} ${command.id} was audited, and was not done, or twice`);
			},
		}),
		ids: () => ({
			next() {
				const id = `fleet-${world.ids.next()}`;
				made.set(id, world.clock.elapsed());
				return id;
			},
		}),
		said(owner, ownId, { epoch, seq, frame }) {
			const all = said.get(owner.id) ?? new Set();
			said.set(owner.id, all.add(`${ownId} ${epoch} ${seq} ${frame}`));
		},
		shown(owner, ownId, { epoch, seq, frame }) {
			if (replaced.has(`${ownId} ${epoch} ${seq} ${frame}`)) return;
			const ofHost = shown.get(owner.id) ?? new Map<string, Map<string, string>>();
			const events = ofHost.get(ownId) ?? new Map<string, string>();
			shown.set(owner.id, ofHost.set(ownId, events));
			const before = events.get(`${epoch} ${seq}`);
			if (before !== undefined && before !== frame)
				world.violate("fleet-one-history", `${ownId} ${epoch} ${seq}: ${before} and then ${frame}`);
			events.set(`${epoch} ${seq}`, frame);
			world.trace.note(`> ${owner.host.name} ${ownId} ${seq} ${frame.length}`);
		},
		shownOf: (member) => shown.get(member.id) ?? new Map(),
		fenceOf,
		setBack: (member, ms) => void setBackMs.set(member.id, (setBackMs.get(member.id) ?? 0) + ms),
		putBack(member, letters) {
			shown.delete(member.id);
			for (const event of said.get(member.id) ?? []) replaced.add(event);
			said.delete(member.id);
			for (const key of [...fences.keys()]) if (key.startsWith(member.id)) fences.delete(key);
			for (const letter of letters) {
				if (letter.to !== member && letter.from !== member) continue;
				letter.isOff = true;
				const sent = world.ledger.sent.get(letter.marker);
				if (sent !== undefined) Object.assign(sent, { ran: 0, dropped: true, acked: undefined });
			}
		},
		check(members) {
			const holders = members.filter((member) => isAwake(member) && member.run.lease.fence() !== undefined);
			if (holders.length > 0) world.count("fleet: the task has a holder");
			if (holders.length > 1)
				world.violate("fleet-one-holder", `${holders.map(({ host }) => host.name).join(" and ")} hold the task at the same time`);
			for (const [key, { member, life, type }] of unaudited) {
				if (member.run?.life.number === life && member.run.life.isAlive())
					world.violate("fleet-audited", `${type} was done and not audited`);
				unaudited.delete(key);
			}
		},
	};
}
