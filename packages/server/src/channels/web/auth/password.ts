import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { AppError } from "../../../core/kernel/errors.ts";
import type { SettingsStore } from "../../../core/ports/store.ts";

/** About 0.3 s and 32 MB each; more at once would be a denial of service. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const MAX_CONCURRENT_HASHES = 2;
const KEY = "web-password";

const storedSchema = z.object({ salt: z.string(), hash: z.string() });

/** An optional password, for people who would rather remember something. Kept as a slow hash. */
export interface Password {
	isSet(): boolean;
	set(password: string): Promise<void>;
	remove(): void;
	/** Throws `rate-limited` when too many are being compared already. */
	matches(candidate: string): Promise<boolean>;
}

export function createPassword(store: SettingsStore): Password {
	let hashing = 0;
	async function hash(password: string, salt: Buffer): Promise<Buffer> {
		if (hashing >= MAX_CONCURRENT_HASHES)
			throw new AppError("rate-limited", "Busy checking passwords. Try again in a moment.", { params: { reason: "passwords" } });
		hashing += 1;
		try {
			return await derive(password.normalize("NFKC"), salt, COST);
		} finally {
			hashing -= 1;
		}
	}
	return {
		isSet: () => store.get(KEY) !== undefined,
		async set(password) {
			const salt = randomBytes(16);
			const value = { salt: salt.toString("base64"), hash: (await hash(password, salt)).toString("base64") };
			store.set(KEY, JSON.stringify(value));
		},
		remove: () => store.delete(KEY),
		async matches(candidate) {
			const text = store.get(KEY);
			if (text === undefined) return false;
			const stored = storedSchema.parse(JSON.parse(text));
			const derived = await hash(candidate, Buffer.from(stored.salt, "base64"));
			return timingSafeEqual(derived, Buffer.from(stored.hash, "base64"));
		},
	};
}

const derive = (password: string, salt: Buffer, options: ScryptOptions) =>
	new Promise<Buffer>((resolve, reject) => {
		scrypt(password, salt, 32, options, (error, key) => (error === null ? resolve(key) : reject(error)));
	});
