import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { type HostCard, hostCardSchema } from "@rightseat/protocol/fleet/beat";
import { FLEET_VERSION } from "@rightseat/protocol/fleet/command";
import { ownConversationIdSchema } from "@rightseat/protocol/fleet/ids";
import { type Conversation, conversationSchema } from "@rightseat/protocol/model/conversation";
import * as z from "zod/mini";
import type { HostKeys } from "../crypto/host-keys.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Sealer } from "../crypto/seal.ts";
import { isSignatureOf, readSigned, signText } from "../crypto/signed-text.ts";

/** Conversations of one host that others see in their lists. */
export const MAX_LISTED = 100;
/** A list is cut until it fits. */
const MAX_LIST_BYTES = 32_768;
const MAX_UNPACKED_BYTES = 1_048_576;

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

const ownConversationSchema = z.extend(conversationSchema, { id: ownConversationIdSchema });
/** In the clock of that host. */
const at = z.int().check(z.minimum(0));
const listSchema = z.object({
	at,
	conversations: z.array(ownConversationSchema).check(z.maxLength(MAX_LISTED)),
});
/** The newest conversations of a host, and when it said so in its clock. */
export type HostList = z.infer<typeof listSchema>;

/** What happened to one conversation of a host. */
export const listChangeSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("put"), at, conversation: ownConversationSchema }),
	z.object({ kind: z.literal("gone"), at, id: ownConversationIdSchema }),
]);
export type ListChange = z.infer<typeof listChangeSchema>;

/** What is kept of a host in the engine's table: signed by it, because others have the key that it is sealed with. */
export const cardKey = (host: string) => `card.${host}`;
export const listKey = (host: string) => `list.${host}`;

/** The card of a host with this Rightseat. */
export const cardOf = (about: Pick<HostCard, "host" | "name" | "since" | "version">): HostCard => ({
	...about,
	protocol: { min: 1, max: FLEET_VERSION },
	platform: process.platform,
});

interface Writer {
	fleet: string;
	keys: HostKeys;
	sealer: Sealer;
}
interface Reader {
	fleet: string;
	host: string;
	signKey: string;
	sealer: Sealer;
}

/** Who this host is, for the table. */
export function writeCard({ fleet, keys, sealer }: Writer, card: HostCard): string {
	const body = Buffer.from(JSON.stringify(signText(keys, keys.host, "card", JSON.stringify(card))));
	return sealer.seal({ context: contextOf(fleet, cardKey(keys.host)), from: keys.host, body }).toString("base64url");
}

/** Undefined when it is none, or that host did not sign it. */
export function readCard(reader: Reader, text: string): HostCard | undefined {
	const parsed = hostCardSchema.safeParse(signedValue(reader, "card", openText(reader, cardKey(reader.host), text)));
	return parsed.success && parsed.data.host === reader.host ? parsed.data : undefined;
}

/** As many of the newest conversations as fit. */
export async function writeList({ fleet, keys, sealer }: Writer, list: HostList): Promise<string> {
	for (let count = Math.min(MAX_LISTED, list.conversations.length); ; count = Math.floor(count * 0.7)) {
		const payload = JSON.stringify({ at: list.at, conversations: list.conversations.slice(0, count) });
		const body = await deflate(JSON.stringify(signText(keys, keys.host, "list", payload)));
		if (body.length <= MAX_LIST_BYTES || count === 0) {
			return sealer.seal({ context: contextOf(fleet, listKey(keys.host)), from: keys.host, body }).toString("base64url");
		}
	}
}

/** Undefined when it is none, or that host did not sign it. Never rejects. */
export async function readList(reader: Reader, text: string): Promise<HostList | undefined> {
	const packed = openText(reader, listKey(reader.host), text);
	if (packed === undefined) return undefined;
	try {
		const body = await inflate(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
		const parsed = listSchema.safeParse(signedValue(reader, "list", body));
		return parsed.success ? parsed.data : undefined;
	} catch {
		return undefined;
	}
}

/** The conversation as it is said elsewhere: it has no host there that it could name wrongly. */
export const asOwn = ({ host: _, ...conversation }: Conversation): Conversation => conversation;

const contextOf = (fleet: string, key: string) => `rs.${fleet}.hosts.${key}`;

/** Under older keys as well: a host that was off when the key changed still has a name. Its signature tells that it is its own. */
function openText({ fleet, host, sealer }: Reader, key: string, text: string): Buffer | undefined {
	const opened = sealer.open({ context: contextOf(fleet, key), from: host, bytes: Buffer.from(text, "base64url"), withOldKeys: true });
	return opened.ok ? opened.body : undefined;
}

function signedValue({ host, signKey }: Reader, kind: "card" | "list", body: Uint8Array | undefined): unknown {
	const signed = body === undefined ? undefined : readSigned(body);
	if (signed === undefined || signed.by !== host || !isSignatureOf(signKey, kind, signed)) return undefined;
	return parseJson(signed.payload);
}
