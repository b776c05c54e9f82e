import * as z from "zod/mini";

/** A host: 16 base32 characters of the hash of its public keys, so that nobody can take the name of another. A fleet has one of its root key. */
export const hostIdSchema = z.string().check(z.regex(/^[a-z2-7]{16}$/));
/** What people call a host: nothing that moves a cursor, ends a line or turns the text around it. */
export const hostNameSchema = z
	.string()
	.check(z.minLength(1), z.maxLength(60), z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u));
/** A time in the clock of a host: a host may lie, and a date beyond the year 9999 cannot be shown. */
export const hostTimeSchema = z.int().check(z.minimum(0), z.maximum(253_402_300_799_999));
/** The id of a conversation on its own host. */
export const ownConversationIdSchema = z.string().check(z.minLength(1), z.maxLength(47), z.regex(/^[\w-]+$/));
/** Ids that hosts make for a run, a command or an invitation. */
export const fleetIdSchema = z.string().check(z.minLength(8), z.maxLength(64), z.regex(/^[\w-]+$/));

/** What a conversation of another host is called here. */
export const remoteIdOf = (host: string, conversationId: string) => `${host}_${conversationId}`;

/** The host and the id there; undefined for a conversation of this host, whose id never looks like that. */
export function splitRemoteId(id: string): { host: string; conversationId: string } | undefined {
	const [, host, conversationId] = /^([a-z2-7]{16})_([\w-]{1,47})$/.exec(id) ?? [];
	return host === undefined || conversationId === undefined ? undefined : { host, conversationId };
}

/** The id of something of a host that is no conversation, an item of its inbox or a schedule, and what that is called there. */
export function splitRemoteThing(id: string): { host: string; id: string } | undefined {
	const [, host, own] = /^([a-z2-7]{16})_([\w-]{1,180})$/.exec(id) ?? [];
	return host === undefined || own === undefined ? undefined : { host, id: own };
}
