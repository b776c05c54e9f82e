import { commitmentOf } from "../crypto/key-box.ts";
import type { ContentKeys } from "../crypto/seal.ts";
import type { Members } from "./members.ts";

/** The content keys that this host was given, each checked against the members' history. */
export interface HeldKeys extends ContentKeys {
	/** False: it is not the key that the history names for this number. */
	hold(number: number, key: Uint8Array): boolean;
	/** The newest key of the fleet is not here: its box must be fetched. */
	isBehind(): boolean;
}

/** As many are held as the members' history knows commitments of. */
export function createHeldKeys(members: Pick<Members, "keyNumber" | "commitment">): HeldKeys {
	const held = new Map<number, Uint8Array>();
	return {
		current() {
			const number = members.keyNumber();
			return held.has(number) ? number : undefined;
		},
		find: (number) => (members.commitment(number) === undefined ? undefined : held.get(number)),
		hold(number, key) {
			if (key.length !== 32 || members.commitment(number) !== commitmentOf(key)) return false;
			held.set(number, key);
			for (const each of held.keys()) if (members.commitment(each) === undefined) held.delete(each);
			return true;
		},
		isBehind: () => !held.has(members.keyNumber()),
	};
}
