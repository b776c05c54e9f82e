import type { Signed } from "@rightseat/protocol/fleet/command";
import { AppError } from "../../core/kernel/errors.ts";
import type { Bus } from "../bus.ts";
import type { HostKeys, PublicKeys } from "../crypto/host-keys.ts";
import type { Journal } from "../home/journal.ts";
import type { HeldKeys } from "../members/content-keys.ts";
import type { Members } from "../members/members.ts";
import { boxesOf, createContentKey, takeContentKey } from "../members/rotate-key.ts";
import { type Act, type Role, readStatement, signStatement, statementHash } from "../members/statement.ts";
import { buckets, subjects } from "../subjects.ts";
import { openRosterState, type RosterState } from "./roster-state.ts";
import { createRosterTable, type RosterTable } from "./roster-table.ts";

/** Who belongs to the fleet and the keys that they share: on this disk, and as the engine's table has it. Whatever the engine forgets is brought back. */
export interface Roster {
	readonly members: Members;
	readonly held: HeldKeys;
	/** Takes what is new. Rejects when the engine does not answer. One at a time; a call during one makes another. */
	sync(): Promise<void>;
	/** Signs and makes known; it counts when this resolves. Rejects with `fleet-refused` when it does not. */
	say(act: Act): Promise<void>;
	/** A new content key for everybody who is left. */
	rotate(): Promise<void>;
	/** Somebody was removed, and no key was made since. */
	isRotationDue(): boolean;
	/** Keeps a key that came another way than by a box; false: it is not the fleet's. */
	hold(number: number, key: Uint8Array): Promise<boolean>;
	/** The fleet's root key, as its first statement has it. */
	root(): PublicKeys | undefined;
	/** What newcomers may do unless the invitation says something else. */
	newcomers(): Role;
	/** The hash of the statement with this number. */
	headAt(version: number): string | undefined;
	/** The table tells another history than the one that was seen here: somebody is shown something else. */
	isForked(): boolean;
	onChange(listener: () => void): () => void;
}

interface RosterDeps {
	fleet: string;
	keys: HostKeys;
	/** On the host that founded the fleet. */
	root: HostKeys | undefined;
	bus: Bus;
	history: Journal;
	contentKeys: Journal;
	now: () => number;
}

const MAX_RACES = 5;

/** As far as this disk knows; `sync` asks the engine. */
export async function openRoster(deps: RosterDeps): Promise<Roster> {
	const { fleet, bus } = deps;
	const state = await openRosterState(fleet, deps);
	const table = createRosterTable(bus.bucket(buckets.members(fleet)));
	const listeners = new Set<() => void>();
	const { members, held } = state;
	const changed = () => {
		for (const listener of listeners) listener();
	};
	const sync = oneAtATime(async () => {
		const isNews = await takeNews(state, table);
		await restore(fleet, state, table);
		const hasKey = await takeKey(deps, state, table);
		if (isNews || hasKey) changed();
	});

	async function say(act: Act): Promise<void> {
		const { signer, name } = signerFor(act, deps, members);
		for (let race = 0; race < MAX_RACES; race++) {
			const statement = members.next(act, Math.floor(deps.now()));
			const signed = signStatement(signer, name, statement);
			// What would not count must not stand in the table, where everybody would stumble over it.
			const refusal = state.judge(signed);
			if (refusal !== undefined) throw notSaid(refusal);
			if (await put(statement.version, signed)) {
				if (!state.isKnown(signed)) await state.take(signed);
				bus.publish(subjects.members(fleet), Buffer.alloc(0));
				return changed();
			}
			await sync();
		}
		throw notSaid("busy");
	}

	/** False: somebody was faster. An answer that was lost does not mean that it was not written. */
	async function put(version: number, signed: Signed): Promise<boolean> {
		try {
			const entry = await table.find(version);
			if (entry?.value !== undefined && (await state.take(entry.value))) return false;
			// What stands there and does not count was made up; it must not keep us from going on.
			return await table.put(version, signed, entry?.revision);
		} catch (error) {
			await sync();
			if (state.isKnown(signed)) return true;
			throw error;
		}
	}

	return {
		...{ members, held, sync, say, isRotationDue: state.isRotationDue, headAt: state.headAt, isForked: state.isForked },
		...{ root: state.root, newcomers: state.newcomers },
		async rotate() {
			const { act, key, boxes } = createContentKey(fleet, members);
			await table.putBoxes(act.number, act.commitment, boxes);
			await state.keepKey(act.number, key);
			await say(act);
			held.hold(act.number, key);
			changed();
		},
		async hold(number, key) {
			if (!held.hold(number, key)) return false;
			await state.keepKey(number, key);
			return true;
		},
		onChange(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}

/** A host with the role full speaks for itself, and so does whoever leaves; else the root does, where its key is. */
function signerFor(act: Act, { keys, root }: RosterDeps, members: Members): { signer: HostKeys; name: string } {
	const isLeaving = act.kind === "remove" && act.host === keys.host;
	const mustBeRoot = act.kind === "found" || (members.find(keys.host)?.role !== "full" && !isLeaving);
	return mustBeRoot && root !== undefined ? { signer: root, name: "root" } : { signer: keys, name: keys.host };
}

/** True: there was something new. */
async function takeNews(state: RosterState, table: RosterTable): Promise<boolean> {
	for (let isNews = false; ; isNews = true) {
		const entry = await table.find(state.members.position().version + 1);
		if (entry?.value === undefined || !(await state.take(entry.value))) return isNews;
	}
}

/** A table that was deleted is filled again by whoever sees it first. */
async function restore(fleet: string, state: RosterState, table: RosterTable): Promise<void> {
	const { members, held } = state;
	const { version, head } = members.position();
	if (version === 0) return;
	const newest = await table.find(version);
	if (newest !== undefined) {
		const other = readStatement(newest.value);
		if (other !== undefined && statementHash(other.signed) !== head) state.fork();
		return;
	}
	for (const [index, signed] of state.statements().entries()) await table.put(index + 1, signed, undefined);
	const number = members.keyNumber();
	const key = held.find(number);
	if (key !== undefined) await table.putBoxes(number, members.commitment(number) ?? "", boxesOf(fleet, members, number, key));
}

/** True: the newest key is here now, and was not before. */
async function takeKey({ fleet, keys }: RosterDeps, { members, held, keepKey }: RosterState, table: RosterTable): Promise<boolean> {
	const number = members.keyNumber();
	if (number === 0 || !held.isBehind()) return false;
	const box = await table.findBox(number, members.commitment(number) ?? "", keys.host);
	if (box === undefined || !takeContentKey(fleet, keys, held, number, box)) return false;
	const key = held.find(number);
	if (key !== undefined) await keepKey(number, key);
	return true;
}

/** Runs are never side by side; whoever asks during one gets the next. */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
	let [current, next]: (Promise<void> | undefined)[] = [];
	const begin = (): Promise<void> => {
		current = run().finally(() => {
			current = undefined;
		});
		return current;
	};
	return () => {
		if (current === undefined) return begin();
		next ??= current
			.catch(() => undefined)
			.then(() => {
				next = undefined;
				return begin();
			});
		return next;
	};
}

const notSaid = (refusal: string) =>
	new AppError("fleet-refused", `Who belongs to the fleet was not changed (${refusal}). Only hosts with the role full may; try again.`, {
		params: { reason: "members", detail: refusal },
	});
