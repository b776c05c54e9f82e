import { createHash, randomBytes } from "node:crypto";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";

export const LOGIN_CODE_TTL_MS = 10 * 60_000;
const MAX_OPEN_CODES = 20;

/** Single-use codes for login links. Kept as hashes in memory: a restart voids them. */
export interface LoginCodes {
	create(from?: CodeOrigin): { code: string; expiresAt: number };
	/** True once, and only in time. */
	take(code: string): boolean;
	/** A session that ended leaves no way back in behind. */
	removeOf(sessionId: string): void;
	clear(): void;
}
export interface CodeOrigin {
	/** The session that made it. */
	by?: string | undefined;
	/** Called once, when it was used, expired or was withdrawn. */
	onSpent?: (() => void) | undefined;
}

export function createLoginCodes(clock: Clock): LoginCodes {
	const open = new Map<string, CodeOrigin & { expiresAt: number; deadline: number; cancel: Cancel }>();
	function spend(hash: string): boolean {
		const entry = open.get(hash);
		if (entry === undefined) return false;
		open.delete(hash);
		entry.cancel();
		entry.onSpent?.();
		// By both clocks: one is set by people, the other may stand still while the machine sleeps.
		return entry.expiresAt > clock.now() && entry.deadline > clock.elapsed();
	}
	return {
		create({ by, onSpent } = {}) {
			const oldest = open.keys().next();
			if (open.size >= MAX_OPEN_CODES && oldest.done !== true) spend(oldest.value);
			const code = randomBytes(18).toString("base64url");
			const hash = hashOf(code);
			const expiresAt = clock.now() + LOGIN_CODE_TTL_MS;
			const deadline = clock.elapsed() + LOGIN_CODE_TTL_MS;
			open.set(hash, { by, onSpent, expiresAt, deadline, cancel: clock.after(LOGIN_CODE_TTL_MS, () => spend(hash)) });
			return { code, expiresAt };
		},
		// Looked up by hash, so how long it takes says nothing about the code; deleted before use, so a race has one winner.
		take: (code) => spend(hashOf(code)),
		removeOf(sessionId) {
			for (const [hash, { by }] of [...open]) if (by === sessionId) spend(hash);
		},
		clear() {
			for (const hash of [...open.keys()]) spend(hash);
		},
	};
}

const hashOf = (code: string) => createHash("sha256").update(code, "utf8").digest("hex");
