import { assertNever } from "../../core/kernel/errors.ts";
import { hostIdOf, type PublicKeys } from "../crypto/host-keys.ts";
import { isSignatureOf } from "../crypto/signed-text.ts";
import { type Act, type Member, type Role, readStatement, type Statement, statementHash } from "./statement.ts";

/** Hosts that ever belonged to one fleet, removed ones included. */
export const MAX_HOSTS_EVER = 20_000;
/** Content keys whose commitments are remembered; copies under older ones are not read any more. */
export const MAX_KNOWN_KEYS = 64;

/** Why a statement does not count. `forked`: somebody is shown another history than we are. */
export type StatementRefusal =
	| "malformed"
	| "old"
	| "gap"
	| "forked"
	| "bad-signature"
	| "not-allowed"
	| "unknown-host"
	| "known-host"
	| "wrong-host"
	| "wrong-key"
	| "full";

/** Who belongs to the fleet, as far as the signed history that this host has seen goes. It only ever grows, so nothing can be taken back by withholding. */
export interface Members {
	/** Takes the next statement; undefined: it counts now. */
	accept(value: unknown): StatementRefusal | undefined;
	/** Would it count? */
	judge(value: unknown): StatementRefusal | undefined;
	find(host: string): Member | undefined;
	isRemoved(host: string): boolean;
	list(): Member[];
	/** How far the history goes: in beats, so that a host from which something is withheld is noticed. */
	position(): { version: number; head: string };
	/** Number of the newest content key; 0 before the first. */
	keyNumber(): number;
	/** What the content key of this number must hash to. */
	commitment(number: number): string | undefined;
	/** The next statement, to be signed. */
	next(act: Act, at: number): Statement;
}

/** Nobody yet; the fleet's id says which root key may begin. */
export function createMembers(fleet: string, maxHosts = MAX_HOSTS_EVER): Members {
	const members = new Map<string, Member>();
	const removed = new Set<string>();
	const commitments = new Map<number, string>();
	let root: PublicKeys | undefined;
	let position = { version: 0, head: "" };
	let keyNumber = 0;

	function placeOf({ version, previous }: Statement, hash: string): StatementRefusal | undefined {
		if (version > position.version + 1) return "gap";
		if (version === position.version + 1) return previous === position.head ? undefined : "forked";
		return version === position.version && hash !== position.head ? "forked" : "old";
	}

	/** The key that must have signed. The first statement brings its own, which the fleet's id names. */
	function signerKey(by: string, act: Act): string | undefined {
		if (act.kind === "found") return by === "root" && root === undefined && hostIdOf(act.root) === fleet ? act.root.sign : undefined;
		return by === "root" ? root?.sign : members.get(by)?.keys.sign;
	}

	const mayAct = (by: string, act: Act) => by === "root" || members.get(by)?.role === "full" || (act.kind === "remove" && act.host === by);

	function problemOf(act: Act): StatementRefusal | undefined {
		switch (act.kind) {
			case "found":
			case "add":
				if (hostIdOf(act.member.keys) !== act.member.host) return "wrong-host";
				if (members.has(act.member.host) || removed.has(act.member.host)) return "known-host";
				if (members.size + removed.size >= maxHosts) return "full";
				return act.kind === "found" && act.number !== 1 ? "wrong-key" : undefined;
			case "remove":
			case "role":
				return members.has(act.host) ? undefined : "unknown-host";
			case "key":
				return act.number === keyNumber + 1 ? undefined : "wrong-key";
			default:
				return assertNever(act);
		}
	}

	function carryOut(act: Act): void {
		if (act.kind === "found") root = act.root;
		if (act.kind === "found" || act.kind === "add") members.set(act.member.host, act.member);
		if (act.kind === "found" || act.kind === "key") {
			keyNumber = act.number;
			commitments.set(act.number, act.commitment);
			commitments.delete(act.number - MAX_KNOWN_KEYS);
		}
		if (act.kind === "role") {
			const member = members.get(act.host);
			if (member !== undefined) members.set(act.host, { ...member, role: act.role });
		}
		// For good: its keys may be in other hands. It can come back with new ones.
		if (act.kind === "remove" && members.delete(act.host)) removed.add(act.host);
	}

	function judge(value: unknown): StatementRefusal | { statement: Statement; hash: string } {
		const read = readStatement(value);
		if (read === undefined || read.statement.fleet !== fleet) return "malformed";
		const { signed, statement } = read;
		const hash = statementHash(signed);
		const misplaced = placeOf(statement, hash);
		if (misplaced === "old" || misplaced === "gap") return misplaced;
		// Only a signed contradiction is a fork; anybody can make up the rest.
		const key = signerKey(signed.by, statement.act);
		if (key === undefined || !isSignatureOf(key, "statement", signed)) return "bad-signature";
		if (misplaced !== undefined) return misplaced;
		if (!mayAct(signed.by, statement.act)) return "not-allowed";
		return problemOf(statement.act) ?? { statement, hash };
	}

	return {
		accept(value) {
			const judged = judge(value);
			if (typeof judged === "string") return judged;
			const { statement, hash } = judged;
			carryOut(statement.act);
			position = { version: statement.version, head: hash };
			return undefined;
		},
		judge(value) {
			const judged = judge(value);
			return typeof judged === "string" ? judged : undefined;
		},
		find: (host) => members.get(host),
		isRemoved: (host) => removed.has(host),
		list: () => [...members.values()],
		position: () => position,
		keyNumber: () => keyNumber,
		commitment: (number) => commitments.get(number),
		next: (act, at) => ({ fleet, version: position.version + 1, previous: position.head, at, act }),
	};
}

const RANKS: Readonly<Record<Role, number>> = { watch: 0, talk: 1, full: 2 };

/** Of two roles the smaller: what a host was given, capped by what the receiver allows. */
export const lesserRole = (a: Role, b: Role): Role => (RANKS[a] <= RANKS[b] ? a : b);
/** Is this role enough? */
export const isAtLeast = (role: Role, needed: Role): boolean => RANKS[role] >= RANKS[needed];
