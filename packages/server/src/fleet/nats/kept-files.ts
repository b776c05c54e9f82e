import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";

/** What a place in a fleet keeps for the engine, beside its keys and for its owner only. */
export const keptFiles = (folder: string) => ({
	/** What members share: the inviter sent it. */
	creds: join(folder, "nats.creds"),
	/** The authority of the engine's certificate. */
	ca: join(folder, "nats-ca.pem"),
	/** This host's own key for the engine, and for nothing else: whoever runs it chooses what is signed with it. */
	key: join(folder, "nats.nk"),
	/** With what newcomers knock. */
	door: join(folder, "door.creds"),
});

/** The public half of this host's key for the engine, which is made if there is none. */
export function ownNatsKey(folder: string): string {
	const { key } = keptFiles(folder);
	if (!existsSync(key)) writeFileSync(key, nkeys.createUser().getSeed(), { mode: 0o600 });
	return nkeys.fromSeed(readFileSync(key)).getPublicKey();
}

/** The file if it is there. */
export const existing = (file: string): string | undefined => (existsSync(file) ? file : undefined);

/** With what newcomers knock at this engine; undefined when they need nothing, or something that a person must give them. */
export function keptDoor(folder: string | undefined): string | undefined {
	const file = folder === undefined ? undefined : existing(keptFiles(folder).door);
	return file === undefined ? undefined : readFileSync(file, "utf8").trim();
}
