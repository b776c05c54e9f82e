import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../core/kernel/clock.ts";

export const CHALLENGE_MS = 5 * 60_000;
const MAX_SPENT = 1_000;

/**
 * Challenges for passkeys. The server keeps none: the browser that asked holds a seal over its challenge in a cookie, so that nobody can push
 * out another's by asking often. Remembered is only what a right answer has used up, and strangers have no right answers.
 */
export interface Challenges {
	/** The seal over a challenge, for this purpose only. */
	seal(challenge: string, purpose: string): string;
	/** Whether this challenge was given for this purpose to whoever holds the seal, a short time ago, and was not answered yet. */
	isOpen(challenge: string, purpose: string, seal: string | undefined): boolean;
	/** True once; of two racing answers one wins. */
	spend(challenge: string): boolean;
}

export function createChallenges(clock: Clock): Challenges {
	// A restart voids what is open; the page asks again.
	const key = randomBytes(32);
	const spent = new Map<string, number>();
	const sign = (challenge: string, purpose: string, deadline: number) =>
		createHmac("sha256", key)
			.update(JSON.stringify([challenge, purpose, deadline]))
			.digest();
	return {
		seal(challenge, purpose) {
			const deadline = Math.ceil(clock.elapsed()) + CHALLENGE_MS;
			return `${deadline}.${sign(challenge, purpose, deadline).toString("base64url")}`;
		},
		isOpen(challenge, purpose, seal = "") {
			const [, digits, text = ""] = /^(\d{1,16})\.([\w-]{43})$/.exec(seal) ?? [];
			const deadline = Number(digits);
			if (!(deadline > clock.elapsed()) || spent.has(challenge)) return false;
			return timingSafeEqual(Buffer.from(text, "base64url"), sign(challenge, purpose, deadline));
		},
		spend(challenge) {
			for (const [old, until] of spent) if (until <= clock.elapsed()) spent.delete(old);
			if (spent.has(challenge)) return false;
			const oldest = spent.keys().next();
			if (spent.size >= MAX_SPENT && oldest.done !== true) spent.delete(oldest.value);
			// Longer than any seal over it lives.
			spent.set(challenge, clock.elapsed() + CHALLENGE_MS + 1);
			return true;
		},
	};
}
