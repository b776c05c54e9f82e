import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { type SealedHeader, sealedHeaderSchema } from "@rightseat/protocol/fleet/position";
import { AppError } from "../../core/kernel/errors.ts";
import { parseJson } from "./parse-json.ts";

/** The content keys that this host has. */
export interface ContentKeys {
	/** Number of the newest key of the fleet; undefined when this host does not have that one. An older one is never sealed with: a removed host knows it. */
	current(): number | undefined;
	find(number: number): Uint8Array | undefined;
}

/** Seals what hosts say to each other, and opens it. */
export interface Sealer {
	/** Throws `fleet-refused` while the newest key is not there yet. */
	seal(message: { context: string; from: string; epoch?: string; seq?: number; body: Uint8Array }): Buffer;
	/** Never throws: what cannot be opened has a reason. Without `from` the header says who it is; `withOldKeys` for what its owner signed. */
	open(message: { context: string; from?: string; bytes: Uint8Array; withOldKeys?: boolean }): Opened;
}

/** What was in a sealed message, or why nothing of it may be used. */
export type Opened =
	| { ok: true; header: SealedHeader; body: Buffer }
	| { ok: false; reason: "malformed" | "unknown-key" | "old-key" | "wrong-host" | "forged" };

const VERSION = 1;
const MAX_HEADER_BYTES = 512;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Nonces that are drawn at once: one call for each would cost as much as the sealing. */
const NONCES_AT_ONCE = 256;
/** Keys of hosts that are kept ready; the oldest gives way. */
export const MAX_DERIVED_KEYS = 256;

/**
 * AES-256-GCM with a key for each host, derived of the fleet's. The nonce is random: one counted from `seq` would be used twice by a disk that was rolled
 * back. The context (a subject, a command's id) and the header are authenticated, so that nothing can be moved elsewhere.
 */
export function createSealer(fleet: string, keys: ContentKeys): Sealer {
	const derived = new Map<string, Buffer>();
	const nextNonce = createNonces();
	function keyOf(number: number, host: string): Buffer | undefined {
		const name = `${number} ${host}`;
		const known = derived.get(name);
		if (known !== undefined) return known;
		const content = keys.find(number);
		if (content === undefined) return undefined;
		const key = Buffer.from(hkdfSync("sha256", content, fleet, `rightseat fleet content\n${host}`, 32));
		const [oldest] = derived.keys();
		if (derived.size >= MAX_DERIVED_KEYS && oldest !== undefined) derived.delete(oldest);
		derived.set(name, key);
		return key;
	}
	return {
		seal({ context, from, epoch, seq, body }) {
			const number = keys.current();
			const key = number === undefined ? undefined : keyOf(number, from);
			if (number === undefined || key === undefined) {
				throw new AppError(
					"fleet-refused",
					"This host does not have the fleet's newest key yet. It comes by itself; try again in a moment.",
					{
						retryable: true,
						params: { reason: "no-key" },
					},
				);
			}
			const header = Buffer.from(JSON.stringify({ key: number, from, epoch, seq }));
			const nonce = nextNonce();
			const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(associated(context, header));
			const start = Buffer.from([VERSION, header.length >> 8, header.length & 255]);
			return Buffer.concat([start, header, nonce, cipher.update(body), cipher.final(), cipher.getAuthTag()]);
		},
		open({ context, from, bytes, withOldKeys = false }) {
			const parts = split(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
			if (parts === undefined) return { ok: false, reason: "malformed" };
			const { header, headerBytes } = parts;
			if (from !== undefined && header.from !== from) return { ok: false, reason: "wrong-host" };
			const key = keyOf(header.key, header.from);
			if (key === undefined) return { ok: false, reason: "unknown-key" };
			if (!withOldKeys && header.key !== keys.current()) return { ok: false, reason: "old-key" };
			const decipher = createDecipheriv("aes-256-gcm", key, parts.nonce).setAAD(associated(context, headerBytes)).setAuthTag(parts.tag);
			try {
				return { ok: true, header, body: Buffer.concat([decipher.update(parts.sealed), decipher.final()]) };
			} catch {
				return { ok: false, reason: "forged" };
			}
		},
	};
}

/** Random bytes, each of them used once. */
function createNonces(): () => Buffer {
	let [drawn, used] = [Buffer.alloc(0), 0];
	return () => {
		if (used >= drawn.length) [drawn, used] = [randomBytes(NONCES_AT_ONCE * NONCE_BYTES), 0];
		used += NONCE_BYTES;
		return drawn.subarray(used - NONCE_BYTES, used);
	};
}

const associated = (context: string, header: Uint8Array) => Buffer.concat([Buffer.from(`${context}\n${VERSION}\n`), header]);

function split(bytes: Buffer) {
	if (bytes.length < 3 || bytes[0] !== VERSION) return undefined;
	const headerLength = bytes.readUInt16BE(1);
	const start = 3 + headerLength;
	if (headerLength > MAX_HEADER_BYTES || bytes.length < start + NONCE_BYTES + TAG_BYTES) return undefined;
	const headerBytes = bytes.subarray(3, start);
	const parsed = sealedHeaderSchema.safeParse(parseJson(headerBytes));
	if (!parsed.success) return undefined;
	const [nonce, tag] = [bytes.subarray(start, start + NONCE_BYTES), bytes.subarray(bytes.length - TAG_BYTES)];
	return { header: parsed.data, headerBytes, nonce, tag, sealed: bytes.subarray(start + NONCE_BYTES, bytes.length - TAG_BYTES) };
}
