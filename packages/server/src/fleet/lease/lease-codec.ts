import type { Bucket } from "../bus.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { LeaseCodec } from "./lease.ts";

/** Entries sealed with the fleet's key: a made-up number would keep every true holder out for good. */
export function createLeaseCodec(sealer: Sealer, fleet: string, name: string, host: string): LeaseCodec {
	const context = `rs.${fleet}.lease.${name}`;
	return {
		write: (value) => sealer.seal({ context, from: host, body: Buffer.from(JSON.stringify(value)) }).toString("base64url"),
		read(text) {
			const opened = sealer.open({ context, bytes: Buffer.from(text, "base64url"), withOldKeys: true });
			return opened.ok ? parseJson(opened.body) : undefined;
		},
	};
}

/** An entry that nobody holds, for a task that is new: without one the first holder would have to wait. */
export async function putReleased(bucket: Bucket, codec: LeaseCodec, name: string): Promise<void> {
	await bucket.put(name, codec.write({ holder: "nobody", fence: 1, isReleased: true }), undefined);
}
