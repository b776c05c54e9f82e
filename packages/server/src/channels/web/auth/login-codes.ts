import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../core/clock.ts";

export const LOGIN_CODE_TTL_MS = 10 * 60_000;
const MAX_OPEN_CODES = 20;

/** Single-use codes for login links. Kept as hashes in memory: a restart voids them. */
export interface LoginCodes {
	create(): { code: string; expiresAt: number };
	/** True once, and only in time. */
	take(code: string): boolean;
	clear(): void;
}

export function createLoginCodes(clock: Clock): LoginCodes {
	const open = new Map<string, number>();
	const dropExpired = () => {
		for (const [hash, expiresAt] of open) if (expiresAt <= clock.now()) open.delete(hash);
	};
	return {
		create() {
			dropExpired();
			const oldest = open.keys().next();
			if (open.size >= MAX_OPEN_CODES && oldest.done !== true) open.delete(oldest.value);
			const code = randomBytes(18).toString("base64url");
			const expiresAt = clock.now() + LOGIN_CODE_TTL_MS;
			open.set(hashOf(code), expiresAt);
			return { code, expiresAt };
		},
		take(code) {
			dropExpired();
			// Looked up by hash, so how long it takes says nothing about the code; deleted before use, so a race has one winner.
			return open.delete(hashOf(code));
		},
		clear: () => open.clear(),
	};
}

const hashOf = (code: string) => createHash("sha256").update(code, "utf8").digest("hex");
