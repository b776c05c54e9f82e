import { isIPv6 } from "node:net";
import type { Clock } from "../../../core/kernel/clock.ts";

export const LOGIN_FAILURES_PER_MINUTE = 5;
/** A wrong `Authorization` header is rarer bait than the login form; scripts with an old token get more room. */
export const BEARER_FAILURES_PER_MINUTE = 60;
const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;
/** Failures of everyone together in one window before failed answers are slowed down. */
const GLOBAL_FAILURES_BEFORE_DELAY = 100;
const GLOBAL_DELAY_MS = 1_000;
const MAX_DELAYED = 64;

/**
 * Counts failed attempts only. A right credential is never counted and never delayed, so nobody can lock the owner out
 * by failing in the owner's name.
 */
export interface LoginLimiter {
	/** Seconds until this address may fail again, or 0. */
	retryAfter(address: string, kind: AttemptKind): number;
	fail(address: string, kind: AttemptKind): void;
	/** Waits a moment when failures come from everywhere; false when too many wait already. */
	slowDown(): Promise<boolean>;
}
export type AttemptKind = "login" | "bearer";

export function createLoginLimiter(clock: Clock): LoginLimiter {
	const failures = new Map<string, { count: number; resetAt: number }>();
	let everyone = { count: 0, resetAt: 0 };
	let delayed = 0;

	function entryOf(key: string) {
		const entry = failures.get(key);
		return entry !== undefined && entry.resetAt > clock.elapsed() ? entry : undefined;
	}
	return {
		retryAfter(address, kind) {
			const entry = entryOf(keyOf(address, kind));
			const limit = kind === "login" ? LOGIN_FAILURES_PER_MINUTE : BEARER_FAILURES_PER_MINUTE;
			if (entry === undefined || entry.count < limit) return 0;
			return Math.max(1, Math.ceil((entry.resetAt - clock.elapsed()) / 1000));
		},
		fail(address, kind) {
			const key = keyOf(address, kind);
			const entry = entryOf(key) ?? { count: 0, resetAt: clock.elapsed() + WINDOW_MS };
			entry.count += 1;
			failures.delete(key);
			failures.set(key, entry);
			const oldest = failures.keys().next();
			if (failures.size > MAX_ADDRESSES && oldest.done !== true) failures.delete(oldest.value);
			if (everyone.resetAt <= clock.elapsed()) everyone = { count: 0, resetAt: clock.elapsed() + WINDOW_MS };
			everyone.count += 1;
		},
		async slowDown() {
			if (everyone.resetAt <= clock.elapsed() || everyone.count < GLOBAL_FAILURES_BEFORE_DELAY) return true;
			if (delayed >= MAX_DELAYED) return false;
			delayed += 1;
			await new Promise<void>((resolve) => clock.after(GLOBAL_DELAY_MS, resolve));
			delayed -= 1;
			return true;
		},
	};
}

const keyOf = (address: string, kind: AttemptKind) => `${kind} ${addressKey(address)}`;

/** One person has a whole IPv6 /64, so that is one address here. */
export function addressKey(address: string): string {
	const plain = address.startsWith("::ffff:") ? address.slice(7) : address;
	return isIPv6(plain) ? prefix64(plain) : plain;
}

function prefix64(address: string): string {
	const [head = "", tail = ""] = address.split("%")[0]?.split("::") ?? [];
	const left = head === "" ? [] : head.split(":");
	const right = tail === "" ? [] : tail.split(":");
	const zeros = address.includes("::") ? Math.max(0, 8 - left.length - right.length) : 0;
	return [...left, ...Array.from({ length: zeros }, () => "0"), ...right]
		.slice(0, 4)
		.map((group) => group.replace(/^0+(?=.)/, ""))
		.join(":");
}
