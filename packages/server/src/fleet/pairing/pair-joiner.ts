import { randomBytes } from "node:crypto";
import { createEphemeralKey, type HostKeys, hostIdOf } from "../crypto/host-keys.ts";
import type { Invite } from "./invite-code.ts";
import {
	commitTo,
	isEqual,
	macOf,
	type Newcomer,
	openOnce,
	PAIR_VERSION,
	type PairMessage,
	type PairSecrets,
	pairSecrets,
	pairWords,
	readPairMessage,
	sealOnce,
	type Welcome,
	welcomeSchema,
} from "./pair-messages.ts";

/** The newcomer's end. `next` is what to say now; it is said again until an answer moves it on. */
export interface PairJoiner {
	next(): PairMessage;
	receive(bytes: Uint8Array): void;
	state(): JoinState;
}

export type JoinState =
	| { kind: "greeting" }
	/** The words must be the same at the inviter. */
	| { kind: "joining"; words: string[] }
	| { kind: "welcomed"; words: string[]; welcome: Welcome }
	| { kind: "refused"; reason: Extract<PairMessage, { kind: "refused" }>["reason"]; by: string | undefined };

export function createPairJoiner(invite: Invite, keys: HostKeys, about: Pick<Newcomer, "name" | "version" | "natsKey">): PairJoiner {
	const ephemeral = createEphemeralKey();
	const nonce = randomBytes(16).toString("base64url");
	const commit = commitTo(ephemeral.text, nonce);
	const hello: PairMessage = {
		...{ kind: "hello", v: PAIR_VERSION, invite: invite.invite, commit },
		mac: macOf(invite.secret, "hello", invite.invite, commit),
	};
	let state: JoinState = { kind: "greeting" };
	let next: PairMessage = hello;
	let secrets: PairSecrets | undefined;

	function onReply({ ephemeral: theirs, mac }: Extract<PairMessage, { kind: "reply" }>): void {
		if (state.kind !== "greeting" || !isEqual(mac, macOf(invite.secret, "reply", commit, theirs))) return;
		const agreed = ephemeral.agree(theirs);
		if (agreed === undefined) return;
		secrets = pairSecrets(agreed, invite.secret, [invite.fleet, invite.host, invite.invite, commit, theirs, ephemeral.text]);
		const proof = keys.sign(Buffer.from(`rightseat fleet 1 pairing\n${secrets.transcript}\n${keys.publicKeys.box}`));
		const newcomer: Newcomer = { keys: keys.publicKeys, ...about, proof };
		next = { kind: "join", invite: invite.invite, ephemeral: ephemeral.text, nonce, sealed: sealOnce(secrets.joinKey, newcomer) };
		state = { kind: "joining", words: pairWords(secrets, keys.publicKeys) };
	}

	function onWelcome({ sealed }: Extract<PairMessage, { kind: "welcome" }>): void {
		if (state.kind !== "joining" || secrets === undefined) return;
		const welcome = welcomeSchema.safeParse(openOnce(secrets.welcomeKey, sealed));
		// The code names the fleet, and the fleet's name follows from its root key.
		const isOurs = welcome.success && welcome.data.fleet === invite.fleet && hostIdOf(welcome.data.root) === invite.fleet;
		if (isOurs) state = { kind: "welcomed", words: state.words, welcome: welcome.data };
	}

	return {
		next: () => next,
		state: () => state,
		receive(bytes) {
			const message = readPairMessage(bytes);
			if (message?.kind === "reply") onReply(message);
			else if (message?.kind === "welcome") onWelcome(message);
			else if (message?.kind === "refused" && state.kind !== "welcomed")
				state = { kind: "refused", reason: message.reason, by: message.by };
		},
	};
}
