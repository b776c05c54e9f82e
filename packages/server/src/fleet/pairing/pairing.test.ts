import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { createEphemeralKey, createHostKeys } from "../crypto/host-keys.ts";
import { createInvite, MAX_CODE_CHARS, readInviteCode, writeInviteCode } from "./invite-code.ts";
import { createPairInviter, INVITE_LIFE_MS } from "./pair-inviter.ts";
import { createPairJoiner, type PairJoiner } from "./pair-joiner.ts";
import { type PairMessage, pairSecrets, sealOnce, type Welcome } from "./pair-messages.ts";
import { wordsOf } from "./words.ts";

const root = createHostKeys();
const invite = () => createInvite({ url: "nats://127.0.0.1:4222", fleet: root.host, host: createHostKeys().host });
const welcome: Welcome = {
	...{ fleet: root.host, root: root.publicKeys, members: { version: 1, head: "0".repeat(64) } },
	key: { number: 1, secret: randomBytes(32).toString("base64url") },
};
const bytesOf = (message: PairMessage) => Buffer.from(JSON.stringify(message));
const about = { name: "laptop", version: "1.0.0" };

function bed() {
	const clock = createFakeClock();
	const invitation = invite();
	const inviter = createPairInviter(invitation, clock);
	const joinerOf = () => createPairJoiner(invitation, createHostKeys(), about);
	/** One message there and one back. */
	const exchange = (joiner: PairJoiner) => {
		const answer = inviter.receive(bytesOf(joiner.next()));
		joiner.receive(bytesOf(answer));
		return answer.kind;
	};
	return { clock, invitation, inviter, joinerOf, exchange };
}

test("[FL120] who has the code joins: both sides show the same four words, and after a person has agreed the newcomer is welcomed", () => {
	const { inviter, joinerOf, exchange } = bed();
	const joiner = joinerOf();
	expect([exchange(joiner), exchange(joiner), exchange(joiner)]).toEqual(["reply", "wait", "wait"]);
	const words = inviter.asking()?.words ?? [];
	expect(words).toHaveLength(4);
	expect(joiner.state()).toEqual({ kind: "joining", words });
	expect(inviter.asking()?.newcomer).toMatchObject(about);
	expect([inviter.welcome(welcome), inviter.welcome(welcome), exchange(joiner)]).toEqual([true, false, "welcome"]);
	expect(joiner.state()).toEqual({ kind: "welcomed", words, welcome });
});

test("[FL121] whatever is lost or doubled on the way, saying it again leads to the same end", () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom("lose-there", "lose-back", "twice", "fine"), { maxLength: 20 }), (fates) => {
			const { inviter, joinerOf, exchange } = bed();
			const joiner = joinerOf();
			for (const fate of fates) {
				if (fate === "lose-back" || fate === "twice") inviter.receive(bytesOf(joiner.next()));
				if (fate === "fine" || fate === "twice") exchange(joiner);
				if (inviter.asking() !== undefined) inviter.welcome(welcome);
			}
			for (let turn = 0; turn < 3; turn++) {
				exchange(joiner);
				inviter.welcome(welcome);
			}
			expect(joiner.state()).toMatchObject({ kind: "welcomed", welcome });
		}),
		{ numRuns: 30 },
	);
});

test("[FL122] a code is used once: the next who comes is told by whom, and a rejected one gets nothing", () => {
	const { inviter, joinerOf, exchange } = bed();
	const [first, second] = [joinerOf(), joinerOf()];
	exchange(second);
	exchange(first);
	exchange(first);
	exchange(second);
	expect(second.state()).toEqual({ kind: "refused", reason: "used", by: "laptop" });
	const third = joinerOf();
	exchange(third);
	expect(third.state()).toMatchObject({ reason: "used" });
	inviter.reject();
	exchange(first);
	expect([first.state(), inviter.welcome(welcome)]).toEqual([{ kind: "refused", reason: "rejected", by: undefined }, false]);
});

test("[FL123] after ten minutes a code is too old, but who came in time still gets the answer", async () => {
	const late = bed();
	await late.clock.advance(INVITE_LIFE_MS + 1);
	const joiner = late.joinerOf();
	late.exchange(joiner);
	expect(joiner.state()).toMatchObject({ kind: "refused", reason: "expired" });
	const inTime = bed();
	const other = inTime.joinerOf();
	inTime.exchange(other);
	inTime.exchange(other);
	await inTime.clock.advance(INVITE_LIFE_MS + 1);
	inTime.inviter.welcome(welcome);
	inTime.exchange(other);
	expect(other.state()).toMatchObject({ kind: "welcomed" });
});

test("[FL124] without the code's secret nobody gets past hello, on either side", () => {
	const { invitation, inviter, joinerOf, exchange } = bed();
	const guesser = createPairJoiner({ ...invitation, secret: randomBytes(16).toString("base64url") }, createHostKeys(), about);
	expect(exchange(guesser)).toBe("refused");
	const impostor = createPairInviter({ ...invitation, secret: randomBytes(16).toString("base64url") }, createFakeClock());
	const joiner = joinerOf();
	joiner.receive(bytesOf({ kind: "reply", ephemeral: randomBytes(32).toString("base64url"), mac: "0".repeat(64) }));
	joiner.receive(bytesOf({ kind: "welcome", sealed: "AAAA" }));
	expect([joiner.state(), impostor.receive(bytesOf(joiner.next())).kind, inviter.asking()]).toEqual([
		{ kind: "greeting" },
		"refused",
		undefined,
	]);
	expect(
		inviter.receive(bytesOf({ ...joiner.next(), kind: "hello", v: 1, invite: "another-one", commit: "0".repeat(64), mac: "0".repeat(64) })),
	).toEqual({
		...{ kind: "refused", reason: "forged" },
	});
});

test("[FL125] somebody with a stolen code who stands between the two makes other words appear on each side", () => {
	const { invitation, inviter, joinerOf } = bed();
	const joiner = joinerOf();
	const middle = {
		toJoiner: createPairInviter(invitation, createFakeClock()),
		toInviter: createPairJoiner(invitation, createHostKeys(), about),
	};
	for (let turn = 0; turn < 2; turn++) {
		joiner.receive(bytesOf(middle.toJoiner.receive(bytesOf(joiner.next()))));
		middle.toInviter.receive(bytesOf(inviter.receive(bytesOf(middle.toInviter.next()))));
	}
	const state = joiner.state();
	expect(state.kind === "joining" && state.words).toHaveLength(4);
	expect(state.kind === "joining" && state.words).not.toEqual(inviter.asking()?.words);
});

test("[FL126] a newcomer cannot show another key than the one it is bound to, nor keys that are not its own, nor is it welcomed to another fleet", () => {
	const { inviter, joinerOf, exchange } = bed();
	const [joiner, other] = [joinerOf(), joinerOf()];
	exchange(other);
	exchange(joiner);
	expect(inviter.receive(bytesOf(other.next()))).toEqual({ kind: "refused", reason: "forged" });
	// Bound to one key, it shows another one that it has chosen after it saw the inviter's.
	const late = bed();
	const hello = createPairJoiner(late.invitation, createHostKeys(), about).next();
	const reply = late.inviter.receive(bytesOf(hello));
	const [chosen, keys, nonce] = [createEphemeralKey(), createHostKeys(), "A".repeat(22)];
	const [commit, theirs] = [hello.kind === "hello" ? hello.commit : "", reply.kind === "reply" ? reply.ephemeral : ""];
	const { fleet, host, invite: id, secret } = late.invitation;
	const said = [fleet, host, id, commit, theirs, chosen.text];
	const secrets = pairSecrets(chosen.agree(theirs) ?? Buffer.alloc(0), secret, said);
	const proof = keys.sign(Buffer.from(`rightseat fleet 1 pairing\n${secrets.transcript}\n${keys.publicKeys.box}`));
	const sealed = sealOnce(secrets.joinKey, { keys: keys.publicKeys, ...about, proof });
	expect(late.inviter.receive(bytesOf({ kind: "join", invite: id, ephemeral: chosen.text, nonce, sealed })).kind).toBe("refused");
	const theft = bed();
	const [mine, victim] = [createHostKeys(), createHostKeys()];
	const thief = createPairJoiner(theft.invitation, { ...mine, publicKeys: victim.publicKeys }, about);
	theft.exchange(thief);
	expect(theft.exchange(thief)).toBe("refused");
	exchange(joiner);
	const elsewhere = createHostKeys();
	inviter.welcome({ ...welcome, root: elsewhere.publicKeys });
	exchange(joiner);
	expect(joiner.state()).toMatchObject({ kind: "joining" });
});

test("[FL127] a code comes back as it was, also broken over lines; a torn one is told from none", () => {
	const invitation = { ...invite(), ca: "0".repeat(64) };
	const code = writeInviteCode(invitation);
	expect(code.length).toBeLessThan(MAX_CODE_CHARS);
	expect(readInviteCode(code)).toEqual(invitation);
	expect(readInviteCode(` ${code.slice(0, 40)}\n  ${code.slice(40)}\n`)).toEqual(invitation);
	expect([
		readInviteCode(code.slice(0, -9)),
		readInviteCode(code.slice(0, 30) + code.slice(31)),
		readInviteCode("hello"),
		readInviteCode("x".repeat(2_000)),
	]).toEqual([...["torn", "torn", "none", "none"]]);
	fc.assert(
		fc.property(fc.string(), (text) => {
			expect(readInviteCode(`rs1.${text}`)).toMatch(/^(torn|none)$/);
		}),
	);
});

test("[FL128] whatever bytes come, both ends stay where they are; every byte has a word of its own", () => {
	const { inviter, joinerOf, exchange } = bed();
	const joiner = joinerOf();
	exchange(joiner);
	const hostile = fc.oneof(
		fc.uint8Array(),
		fc.json().map((text) => Buffer.from(text)),
		fc.stringMatching(/^[\w-]{43}$/).map((ephemeral) => bytesOf({ kind: "reply", ephemeral, mac: "a".repeat(64) })),
		fc.stringMatching(/^[\w-]{1,80}$/).map((sealed) => bytesOf({ kind: "welcome", sealed })),
	);
	fc.assert(
		fc.property(hostile, (bytes) => {
			joiner.receive(bytes);
			expect([inviter.receive(bytes).kind, inviter.asking(), joiner.state().kind]).toEqual(["refused", undefined, "joining"]);
		}),
	);
	expect(new Set(wordsOf(Uint8Array.from({ length: 256 }, (_, index) => index))).size).toBe(256);
});
