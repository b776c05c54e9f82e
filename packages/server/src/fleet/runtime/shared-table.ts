import { AppError } from "../../core/kernel/errors.ts";
import { MAX_SHARED_BYTES, type SharedTable } from "../../core/ports/fleet.ts";
import type { Bucket } from "../bus.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Sealer } from "../crypto/seal.ts";

/** A table of the engine with sealed entries. An entry that cannot be opened counts as empty under its revision, so that it can be replaced. */
export function createSharedTable(bucket: Bucket, place: { fleet: string; name: string; host: string; sealer: Sealer }): SharedTable {
	const { fleet, name, host, sealer } = place;
	const contextOf = (key: string) => `rs.${fleet}.shared.${name}.${key}`;
	return {
		async get(key) {
			const entry = await bucket.get(key);
			if (entry === undefined) return undefined;
			const opened = sealer.open({ context: contextOf(key), bytes: Buffer.from(entry.value, "base64url"), withOldKeys: true });
			return { value: opened.ok ? parseJson(opened.body) : undefined, revision: entry.revision };
		},
		async put(key, value, revision) {
			const body = Buffer.from(JSON.stringify(value));
			if (body.length > MAX_SHARED_BYTES) throw new AppError("internal", `A shared entry may have ${MAX_SHARED_BYTES} bytes.`);
			return bucket.put(key, sealer.seal({ context: contextOf(key), from: host, body }).toString("base64url"), revision);
		},
	};
}
