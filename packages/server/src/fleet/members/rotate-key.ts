import { randomBytes } from "node:crypto";
import type { HostKeys } from "../crypto/host-keys.ts";
import { commitmentOf, putInBox, takeFromBox } from "../crypto/key-box.ts";
import type { HeldKeys } from "./content-keys.ts";
import type { Members } from "./members.ts";
import type { Act } from "./statement.ts";

/** The next content key: what is said of it, and a box of it for every member. Whoever was removed before gets none. */
export interface NewContentKey {
	act: Extract<Act, { kind: "key" }>;
	key: Buffer;
	/** By host. A member whose key for boxes is none has no box. */
	boxes: ReadonlyMap<string, string>;
}

/** To be made after every removal. The boxes are to be put where members look before the statement is, so that nobody has to wait. */
export function createContentKey(fleet: string, members: Members): NewContentKey {
	const [key, number] = [randomBytes(32), members.keyNumber() + 1];
	return { act: { kind: "key", number, commitment: commitmentOf(key) }, key, boxes: boxesOf(fleet, members, number, key) };
}

/** A box of this key for every member, by host. */
export function boxesOf(fleet: string, members: Members, number: number, key: Uint8Array): ReadonlyMap<string, string> {
	const boxes = members.list().flatMap(({ host, keys }): [string, string][] => {
		const box = putInBox(keys.box, boxContext(fleet, number), key);
		return box === undefined ? [] : [[host, box]];
	});
	return new Map(boxes);
}

/** Takes the key of this number out of our box; false when it is not the one that the history names. */
export function takeContentKey(fleet: string, keys: HostKeys, held: HeldKeys, number: number, box: string): boolean {
	const key = takeFromBox(keys, boxContext(fleet, number), box);
	return key !== undefined && held.hold(number, key);
}

const boxContext = (fleet: string, number: number) => `${fleet} key ${number}`;
