import type { Copy } from "../../core/fleet/remote-state.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { Members } from "../members/members.ts";
import { subjects } from "../subjects.ts";
import type { Copies } from "./copies.ts";
import { openSnapshot, partsIn, type SnapshotPlace } from "./snapshot-parts.ts";

/** The copy of a conversation whose host is away; undefined when there is none, or none that its host signed. Rejects when the engine does not answer. */
export async function findCopy(
	{ copies, sealer, members }: { copies: Copies; sealer: Sealer; members: Members },
	place: SnapshotPlace,
): Promise<Copy | undefined> {
	const signKey = members.find(place.host)?.keys.sign;
	const find = (part: number) => copies.find(subjects.snapshot(place.fleet, place.host, place.conversationId, part));
	const first = signKey === undefined ? undefined : await find(0);
	if (signKey === undefined || first === undefined) return undefined;
	const messages = [first];
	for (let part = 1; part < partsIn(sealer, place, first); part++) {
		const next = await find(part);
		if (next === undefined) return undefined;
		messages.push(next);
	}
	return await openSnapshot(signKey, sealer, place, messages);
}
