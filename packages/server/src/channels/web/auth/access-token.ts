import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";

/** How often the token file is looked at, so that changing it ends every session within a second. */
export const TOKEN_POLL_MS = 500;
/** A shorter token could be guessed; then the rate limit comes before the comparison. */
const STRONG_TOKEN_CHARS = 32;

/** The long-lived credential in `$RIGHTSEAT_HOME/token`. Only its SHA-256 is compared or kept anywhere else. */
export interface AccessToken {
	/** Constant time, whatever the candidate's length. */
	matches(candidate: string): boolean;
	/** SHA-256 in hex; sessions remember under which token they began. */
	fingerprint(): string;
	/** Too long to guess. */
	strong(): boolean;
	/** Writes a new token and tells the listeners. */
	rotate(): void;
	onChange(listener: () => void): () => void;
	close(): void;
}

/** `hide` learns every token before anybody can print it. */
export function createAccessToken(deps: { home: string; clock: Clock; logger: Logger; hide?(token: string): void }): AccessToken {
	const path = join(deps.home, "token");
	const listeners = new Set<() => void>();
	let current = known(readOrCreate(path, deps.logger));
	let stamp = stampOf(path);
	let problem = "";
	let cancelPoll = deps.clock.after(TOKEN_POLL_MS, poll);

	function known(text: string): KnownToken {
		deps.hide?.(text);
		return { digest: digest(text), length: text.length };
	}
	function poll() {
		refresh();
		cancelPoll = deps.clock.after(TOKEN_POLL_MS, poll);
	}
	function refresh() {
		try {
			look();
			problem = "";
		} catch (error) {
			// A file that cannot be read now may be readable in a moment; the token that we know stays.
			const message = error instanceof Error ? error.message : String(error);
			if (message !== problem) deps.logger.warn({ path, err: message }, "The token file cannot be looked at. Check its owner and mode");
			problem = message;
		}
	}
	function look() {
		const next = stampOf(path);
		if (next === undefined || next === stamp) return;
		const text = read(path);
		stamp = next;
		// An editor may truncate before it writes; an empty file is not a new token.
		if (text === undefined || text === "") return;
		restrict(path, deps.logger);
		adopt(text);
	}
	function adopt(text: string) {
		const next = digest(text);
		if (next.equals(current.digest)) return;
		current = known(text);
		for (const listener of listeners) {
			try {
				listener();
			} catch (error) {
				// A disk that takes no writes must neither stop us from looking at the file nor keep the others from hearing of it.
				deps.logger.error({ err: error }, "Not everything could be told of the new access token");
			}
		}
	}

	return {
		matches(candidate) {
			refresh();
			return timingSafeEqual(digest(candidate), current.digest);
		},
		fingerprint: () => current.digest.toString("hex"),
		strong() {
			refresh();
			return current.length >= STRONG_TOKEN_CHARS;
		},
		rotate() {
			const text = newToken();
			deps.hide?.(text);
			writeFileSync(path, `${text}\n`, { mode: 0o600 });
			stamp = stampOf(path);
			adopt(text);
		},
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close: () => cancelPoll(),
	};
}

interface KnownToken {
	digest: Buffer;
	length: number;
}

function readOrCreate(path: string, logger: Logger): string {
	const existing = read(path);
	if (existing !== undefined && existing !== "") {
		restrict(path, logger);
		if (existing.length < STRONG_TOKEN_CHARS) {
			logger.warn({ path }, "The access token is short. Delete the file and restart for a generated one");
		}
		return existing;
	}
	const text = newToken();
	writeFileSync(path, `${text}\n`, { mode: 0o600 });
	return text;
}

function restrict(path: string, logger: Logger) {
	if ((statSync(path).mode & 0o077) === 0) return;
	chmodSync(path, 0o600);
	logger.warn({ path }, "The token file could be read by others; its mode is 0600 now. Replace the token if others use this machine");
}

function read(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8").trim();
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

function stampOf(path: string): string | undefined {
	const stat = statSync(path, { throwIfNoEntry: false });
	return stat === undefined ? undefined : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
}

const newToken = () => randomBytes(32).toString("base64url");
const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";
