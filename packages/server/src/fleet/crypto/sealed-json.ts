import { type Beat, beatSchema } from "@rightseat/protocol/fleet/beat";
import { type LiveEvent, liveEventSchema } from "@rightseat/protocol/fleet/position";
import { subjects } from "../subjects.ts";
import { parseJson } from "./parse-json.ts";
import type { Sealer } from "./seal.ts";

/** A message, ready to go out. */
export interface SealedMessage {
	subject: string;
	bytes: Buffer;
}

/** Whose conversation. */
export interface LivePlace {
	fleet: string;
	host: string;
	conversationId: string;
}

/** A live event; what is too large for one message goes out without its words, and readers ask for them. */
export function sealEvent(sealer: Sealer, { fleet, host, conversationId }: LivePlace, event: LiveEvent, maxBytes: number): SealedMessage {
	const subject = subjects.live(fleet, host, conversationId);
	const seal = (value: LiveEvent) =>
		sealer.seal({ context: subject, from: host, epoch: event.epoch, seq: event.seq, body: Buffer.from(JSON.stringify(value)) });
	const bytes = seal(event);
	return { subject, bytes: bytes.length <= maxBytes ? bytes : seal({ ...event, frame: undefined }) };
}

/** The event in a message of its subject; undefined when it is none, was moved, or is not of that host. */
export function openEvent(sealer: Sealer, { fleet, host, conversationId }: LivePlace, bytes: Uint8Array): LiveEvent | undefined {
	const opened = sealer.open({ context: subjects.live(fleet, host, conversationId), from: host, bytes });
	const parsed = opened.ok ? liveEventSchema.safeParse(parseJson(opened.body)) : undefined;
	return parsed?.success === true ? parsed.data : undefined;
}

/** A beat of this host. */
export function sealBeat(sealer: Sealer, fleet: string, beat: Beat): SealedMessage {
	const subject = subjects.beat(fleet, beat.host);
	return { subject, bytes: sealer.seal({ context: subject, from: beat.host, body: Buffer.from(JSON.stringify(beat)) }) };
}

/** The beat in a message of this host's subject; undefined when it is none, or says that it is another's. */
export function openBeat(sealer: Sealer, fleet: string, host: string, bytes: Uint8Array): Beat | undefined {
	const opened = sealer.open({ context: subjects.beat(fleet, host), from: host, bytes });
	const parsed = opened.ok ? beatSchema.safeParse(parseJson(opened.body)) : undefined;
	return parsed?.success === true && parsed.data.host === host ? parsed.data : undefined;
}
