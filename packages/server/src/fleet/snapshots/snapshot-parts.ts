import { createHash } from "node:crypto";
import { type SnapshotPart, snapshotPartSchema } from "@rightseat/protocol/fleet/command";
import type { Copy } from "../../core/fleet/remote-state.ts";
import { type HostKeys, isSignedBy } from "../crypto/host-keys.ts";
import { pack, unpack } from "../crypto/packing.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Sealer } from "../crypto/seal.ts";
import { subjects } from "../subjects.ts";

/** A snapshot with more text than that is not kept; whoever wants it asks its owner. */
export const MAX_SNAPSHOT_CHARS = 16_777_216;
const MAX_PARTS = 64;

/** Whose snapshot it is. */
export interface SnapshotPlace {
	fleet: string;
	host: string;
	conversationId: string;
}

/** A message of the snapshot stream: where it is said, and its bytes. */
export interface SealedPart {
	subject: string;
	bytes: Uint8Array;
}

/** The parts of a snapshot, each no larger than `maxBytes`: deflated, signed as a whole, sealed one by one. Undefined: it is too large to be kept. */
export async function sealSnapshot(
	keys: HostKeys,
	sealer: Sealer,
	place: SnapshotPlace,
	copy: Copy,
	maxBytes: number,
): Promise<SealedPart[] | undefined> {
	if (copy.frame.length > MAX_SNAPSHOT_CHARS) return undefined;
	const packed = await pack(copy.frame, { level: 1 });
	const { position, at } = copy;
	// Room for what is around the bytes: the header, the line that tells about the part, the seal.
	const room = maxBytes - 1_024;
	const parts = Math.max(1, Math.ceil(packed.length / room));
	if (room <= 0 || parts > MAX_PARTS) return undefined;
	const whole = { ...position, at, parts };
	const signature = keys.sign(signedBytes(place, whole, packed));
	return Array.from({ length: parts }, (_, part) => {
		const about = Buffer.from(`${JSON.stringify({ ...whole, part, signature })}\n`);
		const body = Buffer.concat([about, packed.subarray(part * room, (part + 1) * room)]);
		const subject = subjects.snapshot(place.fleet, place.host, place.conversationId, part);
		return { subject, bytes: sealer.seal({ context: subject, from: place.host, epoch: position.epoch, seq: position.seq, body }) };
	});
}

/** The snapshot that all of these parts are of; undefined when one is missing, is of another set, or its owner did not sign it. Never rejects. */
export async function openSnapshot(
	signKey: string,
	sealer: Sealer,
	place: SnapshotPlace,
	messages: readonly Uint8Array[],
	maxOutputLength = 3 * MAX_SNAPSHOT_CHARS,
): Promise<Copy | undefined> {
	const opened = messages.slice(0, MAX_PARTS).map((bytes, part) => openPart(sealer, place, part, bytes));
	const first = opened[0]?.about;
	if (first === undefined || opened.length < first.parts) return undefined;
	const used = opened.slice(0, first.parts);
	if (!used.every((each, part) => each !== undefined && isSameSet(each.about, { ...first, part }))) return undefined;
	const packed = Buffer.concat(used.flatMap((each) => each?.bytes ?? []));
	const { generation, epoch, seq, chain, at, parts, signature } = first;
	const position = { generation, epoch, seq, chain };
	if (!isSignedBy(signKey, signedBytes(place, { ...position, at, parts }, packed), signature)) return undefined;
	try {
		const frame = (await unpack(packed, maxOutputLength)).toString("utf8");
		return { position, frame, at };
	} catch {
		return undefined;
	}
}

/** How many parts the set has that this first one is of; 0 when it is none. */
export const partsIn = (sealer: Sealer, place: SnapshotPlace, first: Uint8Array): number =>
	openPart(sealer, place, 0, first)?.about.parts ?? 0;

function openPart(sealer: Sealer, place: SnapshotPlace, part: number, bytes: Uint8Array) {
	const context = subjects.snapshot(place.fleet, place.host, place.conversationId, part);
	const opened = sealer.open({ context, from: place.host, bytes, withOldKeys: true });
	if (!opened.ok) return undefined;
	const end = opened.body.indexOf("\n");
	const about = snapshotPartSchema.safeParse(parseJson(opened.body.subarray(0, Math.max(0, end))));
	return about.success ? { about: about.data, bytes: opened.body.subarray(end + 1) } : undefined;
}

const isSameSet = (a: SnapshotPart, b: SnapshotPart) => a.part === b.part && a.signature === b.signature;

function signedBytes(
	{ fleet, host, conversationId }: SnapshotPlace,
	about: Omit<SnapshotPart, "part" | "signature">,
	packed: Uint8Array,
): Buffer {
	const { generation, epoch, seq, chain, at, parts } = about;
	const hash = createHash("sha256").update(packed).digest("hex");
	return Buffer.from(
		`rightseat fleet 1 snapshot\n${JSON.stringify([fleet, host, conversationId, generation, epoch, seq, chain, at, parts, hash])}`,
	);
}
