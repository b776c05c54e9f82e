import type { Member } from "../members/statement.ts";
import { buckets, subjects } from "../subjects.ts";
import { DOOR_INBOX, inboxOf } from "./connect-options.ts";
import { deletedSubject } from "./nats-copies.ts";

/** A user of the engine, and what it may say and hear there. */
interface NatsUser {
	/** For people, in a comment. */
	about: string;
	login: { nkey: string } | { user: string; password: string };
	publish: readonly string[];
	subscribe: readonly string[];
}

/** What one host may say and hear: its own words, signs of life, card and copies; commands to others, which judge them; and nobody's answers but its own. */
function hostUser(fleet: string, { host, natsKey }: { host: string; natsKey: string }, name: string): NatsUser {
	const tables = Object.values(buckets).map((of) => of(fleet));
	const streams = [...tables.map((table) => `KV_${table}`), copiesOf(fleet)];
	return {
		about: `${name} (${host})`,
		login: { nkey: natsKey },
		publish: [
			...[subjects.live(fleet, host, ">"), `rs.${fleet}.snap.${host}.>`, subjects.beat(fleet, host), subjects.card(fleet, host)],
			...[subjects.command(fleet, "*"), subjects.members(fleet)],
			// Signed by who may, and judged by everybody who reads them.
			`$KV.${buckets.members(fleet)}.>`,
			...[`$KV.${buckets.hosts(fleet)}.*.${host}`, `$KV.${buckets.leases(fleet)}.host.${host}`],
			// Tasks that one host does for all; a number that only goes up tells who has them.
			`$KV.${buckets.leases(fleet)}.telegram.*`,
			`$KV.${buckets.telegram(fleet)}.>`,
			"$JS.API.INFO",
			...streams.flatMap((stream) => [...["INFO", "CREATE", "MSG.GET"].map((call) => `$JS.API.STREAM.${call}.${stream}`)]),
			`$JS.API.STREAM.PURGE.${copiesOf(fleet)}`,
		],
		subscribe: [
			...[subjects.live(fleet, "*", "*"), subjects.beat(fleet, "*"), subjects.card(fleet, "*"), subjects.command(fleet, host)],
			...[subjects.members(fleet), subjects.pairing(fleet, "*"), `${inboxOf(natsKey)}.>`],
			deletedSubject(fleet),
		],
	};
}

/** Who has a code may knock with this, and do nothing else. */
function doorUser(fleet: string, door: string): NatsUser {
	const [user = "", ...password] = door.split(":");
	return {
		...{ about: "newcomers", login: { user, password: password.join(":") } },
		...{ publish: [subjects.pairing(fleet, "*")], subscribe: [`${DOOR_INBOX}.>`] },
	};
}

/** The users of a fleet as a part of the engine's configuration. Members without a key for the engine are named in a comment. */
export function writePermissions(fleet: string, members: readonly (Member & { name: string })[], door: string | undefined): string {
	const users = members.flatMap(({ host, natsKey, name }) => (natsKey === undefined ? [] : [hostUser(fleet, { host, natsKey }, name)]));
	const without = members.filter(({ natsKey }) => natsKey === undefined);
	return [
		"authorization {",
		"  users = [",
		...[...users, ...(door === undefined ? [] : [doorUser(fleet, door)])].map(writeUser),
		...without.map(({ name, host }) => `    # ${commentOf(`${name} (${host})`)} has no key for NATS and must join again`),
		"  ]",
		"}",
	].join("\n");
}

/** One user, as a line of the list. */
function writeUser({ about, login, publish, subscribe }: NatsUser): string {
	const list = (all: readonly string[]) => `[${all.map(quoted).join(", ")}]`;
	const who = Object.entries(login).map(([name, value]) => `${name}: ${quoted(value)}`);
	return [
		`    # ${commentOf(about)}`,
		`    { ${who.join(", ")}, permissions: {`,
		`      publish: ${list(publish)}`,
		`      subscribe: ${list(subscribe)}`,
		"      allow_responses: true",
		"    } }",
	].join("\n");
}

const copiesOf = (fleet: string) => `RS_${fleet}_SNAP`;
const quoted = (text: string) => JSON.stringify(text);
/** A host chose it: it must not end the comment. */
const commentOf = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
