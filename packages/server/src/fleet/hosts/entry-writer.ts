import { createHash } from "node:crypto";
import type { HostCard } from "@rightseat/protocol/fleet/beat";
import type { HostInbox } from "@rightseat/protocol/fleet/inbox";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Bucket } from "../bus.ts";
import type { HostKeys } from "../crypto/host-keys.ts";
import type { Sealer } from "../crypto/seal.ts";
import { asOwn, cardKey, inboxKey, listKey, MAX_LISTED, readInbox, readList, writeCard, writeInbox, writeList } from "./entries.ts";
import type { Stamps } from "./stamps.ts";

/** A list that changes all the time is written so often. */
const WRITE_SPACING_MS = 5_000;
const RETRY_MS = 1_000;
/** A server that stops waits no longer for it. */
const CLOSE_MS = 2_000;
/** The engine may have lost the entries without a word. */
const CHECK_MS = 8_000;

/** Keeps this host's card, list and inbox in the engine's table, so that an offline host has a name and a list. */
export interface EntryWriter {
	/** The list or the inbox is another one now, and others may have been told of it; nothing named: look whether all of it is in the table. */
	changed(what?: "list" | "inbox"): void;
	/** Goes up with every entry that was written. */
	revision(): number;
	/** What is not written yet is written now, if the engine is quick. */
	close(): Promise<void>;
}

interface WriterDeps {
	fleet: string;
	keys: HostKeys;
	sealer: Sealer;
	bucket: Bucket;
	clock: Clock;
	card: () => HostCard;
	conversations: (limit: number) => Conversation[];
	inbox: () => HostInbox;
	isServing: () => boolean;
	stamps: Stamps;
	/** Of this run. */
	instance: string;
	/** Of the fleet's newest key: a newcomer cannot read what was sealed with an older one. */
	keyNumber: () => number;
	/** Something was written. */
	onWritten: () => void;
}

export function createEntryWriter(deps: WriterDeps): EntryWriter {
	const { bucket, clock, keys, stamps, instance } = deps;
	const written = new Map<string, string>();
	/** How often each has changed. Whoever was told that something came waits for a later entry, also when it has gone again before the table had it. */
	const changes = { list: 0, inbox: 0 };
	let [revision, writtenAt] = [0, Number.NEGATIVE_INFINITY];
	let [isDirty, isRunning, isClosed, isStamped] = [true, false, false, false];
	let cancel: Cancel = () => undefined;

	/** True: there is something new in the table. */
	async function write(key: string, content: readonly unknown[], seal: () => Promise<string> | string): Promise<boolean> {
		const hash = createHash("sha256")
			.update(JSON.stringify([deps.keyNumber(), ...content]))
			.digest("hex");
		const entry = await bucket.get(key);
		if (entry !== undefined && written.get(key) === hash) return false;
		const isWritten = (await bucket.put(key, await seal(), entry?.revision)) !== undefined;
		if (isWritten) written.set(key, hash);
		return isWritten;
	}
	/** An earlier run may have had a clock that was ahead. */
	async function readStamps(): Promise<void> {
		const [list, inbox] = await Promise.all([bucket.get(listKey(keys.host)), bucket.get(inboxKey(keys.host))]);
		const reader = { fleet: deps.fleet, host: keys.host, signKey: keys.publicKeys.sign, sealer: deps.sealer };
		for (const told of [list && (await readList(reader, list.value)), inbox && (await readInbox(reader, inbox.value))])
			if (told !== undefined) stamps.used(told.at);
		isStamped = true;
	}
	async function writeAll(): Promise<void> {
		if (!isStamped) await readStamps();
		// Now, and not when the engine has answered: what is told meanwhile is later.
		const [said, { list, inbox: waiting }] = [{ instance, at: stamps.next() }, changes];
		const [card, conversations, inbox] = [deps.card(), deps.conversations(MAX_LISTED).map(asOwn), deps.inbox()];
		const isCard = await write(cardKey(keys.host), [card], () => writeCard(deps, card));
		const isList = await write(listKey(keys.host), [list, conversations], () => writeList(deps, { ...said, conversations }));
		const isInbox = await write(inboxKey(keys.host), [waiting, inbox], () => writeInbox(deps, { ...said, inbox }));
		if (!isCard && !isList && !isInbox) return;
		writtenAt = clock.elapsed();
		revision += 1;
		deps.onWritten();
	}
	async function run(): Promise<void> {
		isRunning = true;
		const wasDirty = isDirty;
		isDirty = false;
		let nextAt = clock.elapsed() + CHECK_MS;
		try {
			if (deps.isServing()) await writeAll();
		} catch {
			// The engine does not answer, or the newest key is not here yet.
			isDirty ||= wasDirty;
			nextAt = clock.elapsed() + RETRY_MS;
		}
		isRunning = false;
		// What changed meanwhile does not wait for the next check.
		schedule(isDirty && nextAt > clock.elapsed() + RETRY_MS ? clock.elapsed() : nextAt);
	}
	function schedule(at: number): void {
		if (isRunning || isClosed) return;
		cancel();
		const soonest = isDirty ? Math.max(at, writtenAt + WRITE_SPACING_MS) : at;
		cancel = clock.after(Math.max(0, soonest - clock.elapsed()), () => void run());
	}
	schedule(clock.elapsed());
	return {
		changed(what) {
			if (what !== undefined) changes[what] += 1;
			isDirty = true;
			schedule(clock.elapsed());
		},
		revision: () => revision,
		async close() {
			isClosed = true;
			cancel();
			if (!isDirty || !deps.isServing()) return;
			await new Promise<void>((resolve) => {
				const giveUp = clock.after(CLOSE_MS, resolve);
				const end = () => {
					giveUp();
					resolve();
				};
				writeAll().then(end, end);
			});
		},
	};
}
