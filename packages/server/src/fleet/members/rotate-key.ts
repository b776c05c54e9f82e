import { randomBytes } from "node:crypto";
import type { HostKeys } from "../crypto/host-keys.ts";
import { commitmentOf, putInBox, takeFromBox } from "../crypto/key-box.ts";
import type { HeldKeys } from "./content-keys.ts";
import type { Members } from "./members.ts";
import type { Act } from "./statement.ts";

/** The next content key: what is said of it, and a box of it for every member. Whoever was removed before gets none. */
export interface NewContentKey {
	act: Act;
	key: Buffer;
	/** By host. A member whose key for boxes is none has no box. */
	boxes: ReadonlyMap<string, string>;
}

/** To be made after every removal. The boxes are to be put where members look before the statement is, so that nobody has to wait. */
export function createContentKey(fleet: string, members: Members): NewContentKey {
	const [key, number] = [randomBytes(32), members.keyNumber() + 1];
	const boxes = members.list().flatMap(({ host, keys }): [string, string][] => {
		const box = putInBox(keys.box, boxContext(fleet, number), key);
		return box === undefined ? [] : [[host, box]];
	});
	return { act: { kind: "key", number, commitment: commitmentOf(key) }, key, boxes: new Map(boxes) };
}

/** Takes the key of this number out of our box; false when it is not the one that the history names. */
export function takeContentKey(fleet: string, keys: HostKeys, held: HeldKeys, number: number, box: string): boolean {
	const key = takeFromBox(keys, boxContext(fleet, number), box);
	return key !== undefined && held.hold(number, key);
}

const boxContext = (fleet: string, number: number) => `${fleet} key ${number}`;
