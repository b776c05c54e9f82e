import type { Signed } from "@rightseat/protocol/fleet/command";
import type { Bucket } from "../bus.ts";
import { parseJson } from "../crypto/parse-json.ts";

/** The engine's table of statements and boxes. Every call rejects when the engine does not answer. */
export interface RosterTable {
	/** What stands at this place of the history, whoever wrote it; undefined when nothing does. */
	find(version: number): Promise<{ value: unknown; revision: number } | undefined>;
	/** False: somebody was faster. */
	put(version: number, signed: Signed, revision: number | undefined): Promise<boolean>;
	findBox(number: number, commitment: string, host: string): Promise<string | undefined>;
	putBoxes(number: number, commitment: string, boxes: ReadonlyMap<string, string>): Promise<void>;
}

export const createRosterTable = (bucket: Bucket): RosterTable => ({
	async find(version) {
		const entry = await bucket.get(statementKey(version));
		return entry === undefined ? undefined : { value: parseJson(entry.value), revision: entry.revision };
	},
	put: async (version, signed, revision) => (await bucket.put(statementKey(version), JSON.stringify(signed), revision)) !== undefined,
	findBox: async (number, commitment, host) => (await bucket.get(boxKey(number, commitment, host)))?.value,
	async putBoxes(number, commitment, boxes) {
		for (const [host, box] of boxes) await bucket.put(boxKey(number, commitment, host), box, undefined);
	},
});

const statementKey = (version: number) => `s.${version}`;
/** Two hosts may make a key of the same number at once; the history decides whose it is. */
const boxKey = (number: number, commitment: string, host: string) => `box.${number}.${commitment.slice(0, 16)}.${host}`;
