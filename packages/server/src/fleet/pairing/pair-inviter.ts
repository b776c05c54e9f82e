import type { Clock } from "../../core/kernel/clock.ts";
import { createEphemeralKey, type EphemeralKey, isSignedBy } from "../crypto/host-keys.ts";
import type { Invite } from "./invite-code.ts";
import {
	commitTo,
	isEqual,
	macOf,
	type Newcomer,
	newcomerSchema,
	openOnce,
	PAIR_VERSION,
	type PairMessage,
	type PairSecrets,
	pairSecrets,
	pairWords,
	readPairMessage,
	sealOnce,
	type Welcome,
} from "./pair-messages.ts";

/** An invitation can be used for ten minutes. */
export const INVITE_LIFE_MS = 600_000;

/** The inviter's end of one invitation. It answers whatever comes; a lost answer is given again. */
export interface PairInviter {
	receive(bytes: Uint8Array): PairMessage;
	/** Who wants to join, and the words that must be the same there; undefined until somebody has come. */
	asking(): { newcomer: Newcomer; words: string[] } | undefined;
	/** A person has compared the words. False: nobody asks. */
	welcome(welcome: Welcome): boolean;
	reject(): void;
}

type State =
	| { kind: "open" }
	| { kind: "greeted"; commit: string; ephemeral: EphemeralKey }
	| { kind: "asking"; joined: string; secrets: PairSecrets; newcomer: Newcomer; answer: PairMessage };

export function createPairInviter(invite: Invite, clock: Pick<Clock, "elapsed">): PairInviter {
	const until = clock.elapsed() + INVITE_LIFE_MS;
	let state: State = { kind: "open" };

	function onHello({ v, commit, mac }: Extract<PairMessage, { kind: "hello" }>): PairMessage {
		if (!isEqual(mac, macOf(invite.secret, "hello", invite.invite, commit))) return { kind: "refused", reason: "forged" };
		if (v !== PAIR_VERSION) return { kind: "refused", reason: "version" };
		if (state.kind === "asking") return { kind: "refused", reason: "used", by: state.newcomer.name };
		// For another hello another key: whoever knew it beforehand could choose its own to match.
		if (state.kind !== "greeted" || state.commit !== commit) state = { kind: "greeted", commit, ephemeral: createEphemeralKey() };
		const { text } = state.ephemeral;
		return { kind: "reply", ephemeral: text, mac: macOf(invite.secret, "reply", commit, text) };
	}

	function onJoin(message: Extract<PairMessage, { kind: "join" }>): PairMessage {
		const joined = `${message.ephemeral} ${message.nonce} ${message.sealed}`;
		if (state.kind === "asking")
			return state.joined === joined ? state.answer : { kind: "refused", reason: "used", by: state.newcomer.name };
		if (state.kind !== "greeted" || commitTo(message.ephemeral, message.nonce) !== state.commit)
			return { kind: "refused", reason: "forged" };
		const agreed = state.ephemeral.agree(message.ephemeral);
		if (agreed === undefined) return { kind: "refused", reason: "forged" };
		const said = [invite.fleet, invite.host, invite.invite, state.commit, state.ephemeral.text, message.ephemeral];
		const secrets = pairSecrets(agreed, invite.secret, said);
		const newcomer = newcomerSchema.safeParse(openOnce(secrets.joinKey, message.sealed));
		if (!newcomer.success || !isProven(newcomer.data, secrets)) return { kind: "refused", reason: "forged" };
		state = { kind: "asking", joined, secrets, newcomer: newcomer.data, answer: { kind: "wait" } };
		return state.answer;
	}

	return {
		receive(bytes) {
			const message = readPairMessage(bytes);
			if (message?.kind !== "hello" && message?.kind !== "join") return { kind: "refused", reason: "forged" };
			if (message.invite !== invite.invite) return { kind: "refused", reason: "forged" };
			// Who was let in while there was time still gets the answer that was lost.
			if (clock.elapsed() > until && state.kind !== "asking") return { kind: "refused", reason: "expired" };
			return message.kind === "hello" ? onHello(message) : onJoin(message);
		},
		asking() {
			if (state.kind !== "asking" || state.answer.kind !== "wait") return undefined;
			return { newcomer: state.newcomer, words: pairWords(state.secrets, state.newcomer.keys) };
		},
		welcome(welcome) {
			if (state.kind !== "asking" || state.answer.kind !== "wait") return false;
			state = { ...state, answer: { kind: "welcome", sealed: sealOnce(state.secrets.welcomeKey, welcome) } };
			return true;
		},
		reject() {
			if (state.kind === "asking" && state.answer.kind === "wait") state = { ...state, answer: { kind: "refused", reason: "rejected" } };
		},
	};
}

const isProven = ({ keys, proof }: Newcomer, { transcript }: PairSecrets) =>
	isSignedBy(keys.sign, Buffer.from(`rightseat fleet 1 pairing\n${transcript}\n${keys.box}`), proof);
