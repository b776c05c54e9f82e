import * as z from "zod/mini";

/** A host: 16 base32 characters of the hash of its public keys, so that nobody can take the name of another. A fleet has one of its root key. */
export const hostIdSchema = z.string().check(z.regex(/^[a-z2-7]{16}$/));
/** What people call a host. */
export const hostNameSchema = z.string().check(z.minLength(1), z.maxLength(60));
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
