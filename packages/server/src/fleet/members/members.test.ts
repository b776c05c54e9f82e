import { randomBytes } from "node:crypto";
import { CLIENT_FRAME_TYPES } from "@rightseat/protocol/frames/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createHostKeys, type HostKeys } from "../crypto/host-keys.ts";
import { commitmentOf } from "../crypto/key-box.ts";
import { createHeldKeys } from "./content-keys.ts";
import { createMembers, isAtLeast, lesserRole, MAX_HOSTS_EVER, MAX_KNOWN_KEYS, type Members } from "./members.ts";
import { FLEET_REQUESTS, needsInstance, roleFor } from "./roles.ts";
import { createContentKey, takeContentKey } from "./rotate-key.ts";
import { type Act, MAX_STATEMENT_CHARS, type Role, signStatement } from "./statement.ts";

const root = createHostKeys();
const FLEET = root.host;
const [first, second, third, stranger] = [createHostKeys(), createHostKeys(), createHostKeys(), createHostKeys()];
const key = randomBytes(32);
const member = (keys: HostKeys, role: Role = "full") => ({ host: keys.host, keys: keys.publicKeys, role });
const found: Act = { kind: "found", root: root.publicKeys, member: member(first), number: 1, commitment: commitmentOf(key) };
const add = (keys: HostKeys, role?: Role): Act => ({ kind: "add", member: member(keys, role), invite: "invite-0001" });

const said = (members: Members, keys: HostKeys, act: Act, by = keys === root ? "root" : keys.host) =>
	signStatement(keys, by, members.next(act, 1));
const say = (members: Members, keys: HostKeys, act: Act) => members.accept(said(members, keys, act));

function founded(): Members {
	const members = createMembers(FLEET);
	expect(say(members, root, found)).toBeUndefined();
	return members;
}

test("[FL50] a fleet begins with the root key that its id names, and grows by what full members and the root sign", () => {
	const members = founded();
	expect(say(members, first, add(second, "talk"))).toBeUndefined();
	expect(say(members, root, { kind: "role", host: second.host, role: "full" })).toBeUndefined();
	expect(say(members, second, add(third, "watch"))).toBeUndefined();
	expect(members.list().map(({ host, role }) => [host, role])).toEqual([
		...[[first.host, "full"]],
		...[[second.host, "full"]],
		...[[third.host, "watch"]],
	]);
	expect(members.position().version).toBe(4);
	expect(say(createMembers(stranger.host), root, found)).toBe("bad-signature");
});

test("[FL357] whether a statement would count is known without taking it, and without reading the whole history again", () => {
	const members = founded();
	const [honest, wrong] = [said(members, first, add(second)), said(members, stranger, add(third))];
	const before = members.position();
	expect([members.judge(honest), members.judge(wrong), members.judge({}), members.position()]).toEqual([
		...[undefined, "bad-signature", "malformed", before],
	]);
	expect([members.accept(honest), members.judge(honest)]).toEqual([undefined, "old"]);
});

test("[FL51] what the wrong host says, or nobody signed, changes nothing", () => {
	const members = founded();
	say(members, first, add(second, "talk"));
	const before = members.position();
	const honest = said(members, first, add(third));
	expect([
		say(members, second, add(third)),
		say(members, stranger, add(third)),
		members.accept(said(members, second, add(third), first.host)),
		members.accept(said(members, first, add(third), "root")),
		members.accept({ ...honest, payload: honest.payload.replace('"full"', '"talk"') }),
		say(members, first, { kind: "add", member: { ...member(third), host: stranger.host }, invite: "invite-0001" }),
		say(members, first, add(second)),
		say(members, first, { kind: "role", host: third.host, role: "full" }),
		say(members, first, { kind: "key", number: 3, commitment: commitmentOf(key) }),
		say(members, root, found),
		members.accept({ ...honest, payload: honest.payload + " ".repeat(MAX_STATEMENT_CHARS) }),
	]).toEqual([
		...["not-allowed", "bad-signature", "bad-signature", "bad-signature", "bad-signature", "wrong-host", "known-host", "unknown-host"],
		...["wrong-key", "bad-signature", "malformed"],
	]);
	expect(members.position()).toEqual(before);
});

test("[FL52] a removed host is out at once and for good; a host of any role may leave", () => {
	const members = founded();
	say(members, first, add(second));
	say(members, first, add(third, "watch"));
	expect(say(members, third, { kind: "remove", host: second.host })).toBe("not-allowed");
	expect(say(members, third, { kind: "remove", host: third.host })).toBeUndefined();
	expect(say(members, first, { kind: "remove", host: second.host })).toBeUndefined();
	expect([members.find(second.host), members.isRemoved(second.host), members.isRemoved(third.host)]).toEqual([undefined, true, true]);
	expect(say(members, second, add(stranger))).toBe("bad-signature");
	expect(say(members, first, add(second))).toBe("known-host");
});

test("[FL53] a statement that was heard is old, one too early is a gap, and a signed contradiction is a fork", () => {
	const members = founded();
	const [one, other] = [said(members, first, add(second)), said(members, first, add(third))];
	expect(members.accept(one)).toBeUndefined();
	expect([members.accept(one), members.accept(other)]).toEqual(["old", "forked"]);
	expect(members.accept({ ...other, signature: one.signature })).toBe("bad-signature");
	const later = { ...members.next(add(third), 1), version: 9 };
	expect(members.accept(signStatement(first, first.host, later))).toBe("gap");
	const elsewhere = { ...members.next(add(third), 1), previous: "0".repeat(64) };
	expect(members.accept(signStatement(first, first.host, elsewhere))).toBe("forked");
});

test("[FL54] after a removal nothing is sealed until the new key is here, and only the key that the history names is taken", () => {
	const members = founded();
	const keys = createHeldKeys(members);
	expect([keys.hold(1, randomBytes(32)), keys.hold(2, key), keys.hold(1, key), keys.current()]).toEqual([false, false, true, 1]);
	const next = randomBytes(32);
	say(members, root, { kind: "key", number: 2, commitment: commitmentOf(next) });
	expect([keys.current(), keys.isBehind(), keys.find(1)]).toEqual([undefined, true, key]);
	expect([keys.hold(2, next), keys.current(), keys.isBehind()]).toEqual([true, 2, false]);
});

test("[FL59] after a removal the next key goes to every member that is left, and to nobody else", () => {
	const members = founded();
	say(members, first, add(second));
	say(members, first, add(third));
	say(members, first, { kind: "remove", host: third.host });
	const { act, key: next, boxes } = createContentKey(FLEET, members);
	expect([...boxes.keys()]).toEqual([first.host, second.host]);
	const box = boxes.get(second.host) ?? "";
	const held = createHeldKeys(members);
	expect(takeContentKey(FLEET, second, held, 2, box)).toBe(false);
	expect(say(members, first, act)).toBeUndefined();
	expect([takeContentKey(FLEET, third, held, 2, box), takeContentKey(FLEET, second, held, 3, box)]).toEqual([false, false]);
	expect([takeContentKey(FLEET, second, held, 2, box), held.find(2)]).toEqual([true, next]);
	// A box that somebody else made for us holds another key than the one that was announced.
	const other = createContentKey(FLEET, founded());
	expect(takeContentKey(FLEET, first, createHeldKeys(members), 2, other.boxes.get(first.host) ?? "")).toBe(false);
});

test("[FL55] commitments and held keys are bounded; what is older cannot be opened any more", () => {
	const members = founded();
	const keys = createHeldKeys(members);
	keys.hold(1, key);
	for (let number = 2; number <= MAX_KNOWN_KEYS + 1; number++) {
		const next = randomBytes(32);
		say(members, root, { kind: "key", number, commitment: commitmentOf(next) });
		keys.hold(number, next);
	}
	expect([members.commitment(1), keys.find(1), keys.find(2) === undefined]).toEqual([undefined, undefined, false]);
});

test("[FL55] hosts are bounded in number, removed ones included", () => {
	const members = createMembers(FLEET, 2);
	say(members, root, found);
	say(members, first, add(second));
	say(members, first, { kind: "remove", host: second.host });
	expect(say(members, first, add(third))).toBe("full");
	expect(createMembers(FLEET, MAX_HOSTS_EVER).list()).toEqual([]);
});

test("[FL56] whatever is handed in as a statement, the answer is a reason and never an error", () => {
	const members = founded();
	const honest = said(members, first, add(second));
	const payload = fc.oneof(fc.string(), fc.json(), fc.constant(honest.payload));
	const hostile = fc.record({ by: fc.constantFrom("root", first.host, "x"), payload, signature: fc.stringMatching(/^[\w-]{86}$/) });
	fc.assert(
		fc.property(fc.oneof(fc.jsonValue(), hostile), (value) => {
			expect(members.accept(value)).toMatch(/^(malformed|bad-signature)$/);
		}),
	);
	expect(members.accept(honest)).toBeUndefined();
});

test("[FL57] every frame needs a role; what changes files, runs or decides needs full, and so does whatever nobody knows", () => {
	const byRole = (role: Role) => [...CLIENT_FRAME_TYPES, ...FLEET_REQUESTS].filter((type) => roleFor(type) === role).sort();
	expect(byRole("watch")).toEqual(
		[
			...["bash:job_output", "bash:jobs", "copilot:status", "copilot:subscribe", "copilot:unsubscribe", "ping"],
			...["fleet:export", "fleet:hello", "fleet:messages", "fleet:models", "fleet:part", "fleet:read", "fleet:search", "fleet:state"],
			"fleet:list",
		].sort(),
	);
	expect(byRole("talk")).toEqual([
		...["copilot:abort", "copilot:queue_drop", "copilot:queue_edit", "copilot:queue_move", "copilot:queue_send_now"],
		...["copilot:send", "copilot:subagent_stop", "copilot:user_input_response", "fleet:attachment", "fleet:inbox", "fleet:looked"],
	]);
	expect(["bash:exec", "terminal:open", "copilot:permission_response", "fleet:files", "fleet:delete", "news"].map(roleFor)).toEqual(
		Array.from({ length: 6 }, () => "full"),
	);
	expect([lesserRole("full", "talk"), lesserRole("watch", "full"), isAtLeast("talk", "full"), isAtLeast("full", "talk")]).toEqual([
		...["talk", "watch", false, true],
	]);
});

test("[FL58] what changes something and is not remembered on disk is meant for one run of the receiver", () => {
	expect(["copilot:send", "bash:exec", "fleet:create", "fleet:read", "ping"].map(needsInstance)).toEqual([
		false,
		false,
		false,
		false,
		false,
	]);
	expect(["terminal:input", "copilot:subagent_stop", "fleet:delete", "copilot:queue_edit", "news"].map(needsInstance)).toEqual([
		...[true, true, true, true, true],
	]);
});
