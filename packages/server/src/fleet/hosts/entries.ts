import { type HostCard, hostCardSchema } from "@rightseat/protocol/fleet/beat";
import { FLEET_VERSIONS } from "@rightseat/protocol/fleet/command";
import { fleetIdSchema, hostTimeSchema, ownConversationIdSchema } from "@rightseat/protocol/fleet/ids";
import { type HostInbox, hostInboxSchema } from "@rightseat/protocol/fleet/inbox";
import { type Conversation, conversationSchema } from "@rightseat/protocol/model/conversation";
import * as z from "zod/mini";
import type { HostKeys } from "../crypto/host-keys.ts";
import { pack, unpack } from "../crypto/packing.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Sealer } from "../crypto/seal.ts";
import { isSignatureOf, readSigned, signText } from "../crypto/signed-text.ts";

/** Conversations of one host that others see in their lists. */
export const MAX_LISTED = 100;
/** A list is cut until it fits. */
const MAX_LIST_BYTES = 32_768;
const MAX_UNPACKED_BYTES = 1_048_576;
/** A longer card or list of another host is none. */
const MAX_ENTRY_CHARS = 65_536;
/** What is said of one conversation is shorter. */
export const MAX_CHANGE_BYTES = 32_768;

const ownConversationSchema = z.extend(conversationSchema, { id: ownConversationIdSchema });
/** In the clock of that host. */
const at = hostTimeSchema;
/** By which run of the host it was said. */
const said = { at, instance: z.optional(fleetIdSchema) };
const listSchema = z.object({
	...said,
	conversations: z.array(ownConversationSchema).check(z.maxLength(MAX_LISTED)),
});
/** The newest conversations of a host, and when it said so in its clock. */
export type HostList = z.infer<typeof listSchema>;

const toldInboxSchema = z.object({ ...said, inbox: hostInboxSchema });
/** What waits on a host for a person, and when it said so in its clock. */
export interface ToldInbox {
	at: number;
	instance?: string | undefined;
	inbox: HostInbox;
}

/** What happened to one conversation of a host, or to its inbox. */
export const listChangeSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("put"), ...said, conversation: ownConversationSchema }),
	z.object({ kind: z.literal("gone"), ...said, id: ownConversationIdSchema }),
	/** All that waits there for a person. */
	z.object({ kind: z.literal("inbox"), ...said, inbox: hostInboxSchema }),
]);
export type ListChange = z.infer<typeof listChangeSchema>;

/** What is kept of a host in the engine's table: signed by it, because others have the key that it is sealed with. */
export const cardKey = (host: string) => `card.${host}`;
export const listKey = (host: string) => `list.${host}`;
export const inboxKey = (host: string) => `inbox.${host}`;

/** The card of a host with this Rightseat. */
export const cardOf = (about: Pick<HostCard, "host" | "name" | "since" | "version">): HostCard => ({
	...about,
	protocol: FLEET_VERSIONS,
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
export function writeCard(writer: Writer, card: HostCard): string {
	const { keys } = writer;
	return sealed(writer, cardKey(keys.host), Buffer.from(JSON.stringify(signText(keys, keys.host, "card", JSON.stringify(card)))));
}

/** Undefined when it is none, or that host did not sign it. */
export function readCard(reader: Reader, text: string): HostCard | undefined {
	const parsed = hostCardSchema.safeParse(signedValue(reader, "card", openText(reader, cardKey(reader.host), text)));
	return parsed.success && parsed.data.host === reader.host ? parsed.data : undefined;
}

/** As many of the newest conversations as fit. */
export async function writeList(writer: Writer, list: HostList): Promise<string> {
	for (let count = Math.min(MAX_LISTED, list.conversations.length); ; count = Math.floor(count * 0.7)) {
		const body = await packSigned(writer, "list", { ...list, conversations: list.conversations.slice(0, count) });
		if (body.length <= MAX_LIST_BYTES || count === 0) return sealed(writer, listKey(writer.keys.host), body);
	}
}

/** Undefined when it is none, or that host did not sign it. Never rejects. */
export async function readList(reader: Reader, text: string): Promise<HostList | undefined> {
	const parsed = listSchema.safeParse(await unpackSigned(reader, "list", listKey(reader.host), text));
	return parsed.success ? parsed.data : undefined;
}

/** Its owner has bounded it. */
export async function writeInbox(writer: Writer, told: ToldInbox): Promise<string> {
	return sealed(writer, inboxKey(writer.keys.host), await packSigned(writer, "inbox", told));
}

/** Undefined when it is none, or that host did not sign it. Never rejects. */
export async function readInbox(reader: Reader, text: string): Promise<ToldInbox | undefined> {
	const parsed = toldInboxSchema.safeParse(await unpackSigned(reader, "inbox", inboxKey(reader.host), text));
	return parsed.success ? parsed.data : undefined;
}

type Kind = "card" | "list" | "inbox";
const packSigned = ({ keys }: Writer, kind: Kind, value: unknown): Promise<Buffer> =>
	pack(JSON.stringify(signText(keys, keys.host, kind, JSON.stringify(value))));
const sealed = ({ fleet, keys, sealer }: Writer, key: string, body: Uint8Array): string =>
	sealer.seal({ context: contextOf(fleet, key), from: keys.host, body }).toString("base64url");

async function unpackSigned(reader: Reader, kind: Kind, key: string, text: string): Promise<unknown> {
	const packed = openText(reader, key, text);
	if (packed === undefined) return undefined;
	try {
		return signedValue(reader, kind, await unpack(packed, MAX_UNPACKED_BYTES));
	} catch {
		return undefined;
	}
}

/** The conversation as it is said elsewhere: it has no host there that it could name wrongly. */
export const asOwn = ({ host: _, ...conversation }: Conversation): Conversation => conversation;

const contextOf = (fleet: string, key: string) => `rs.${fleet}.hosts.${key}`;

/** Under older keys as well: a host that was off when the key changed still has a name. Its signature tells that it is its own. */
function openText({ fleet, host, sealer }: Reader, key: string, text: string): Buffer | undefined {
	if (text.length > MAX_ENTRY_CHARS) return undefined;
	const opened = sealer.open({ context: contextOf(fleet, key), from: host, bytes: Buffer.from(text, "base64url"), withOldKeys: true });
	return opened.ok ? opened.body : undefined;
}

function signedValue({ host, signKey }: Reader, kind: Kind, body: Uint8Array | undefined): unknown {
	const signed = body === undefined ? undefined : readSigned(body);
	if (signed === undefined || signed.by !== host || !isSignatureOf(signKey, kind, signed)) return undefined;
	return parseJson(signed.payload);
}
