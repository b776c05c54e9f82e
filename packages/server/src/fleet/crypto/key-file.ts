import { createHash } from "node:crypto";
import { chmod, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { AppError } from "../../core/kernel/errors.ts";
import { type HostKeys, restoreHostKeys, secretKeysSchema } from "./host-keys.ts";
import { parseJson } from "./parse-json.ts";

const keyFileSchema = z.object({ machine: z.string(), keys: secretKeysSchema });

/** The keys of this host as they were kept, and whether they were made on this machine. */
export interface KeptKeys {
	keys: HostKeys;
	/** The disk was moved or copied since: two hosts with one name would answer for each other. */
	isElsewhere: boolean;
}

/** Keeps the keys for their owner only, all or nothing: a crash leaves the old file or the new one. */
export async function writeKeyFile(path: string, keys: HostKeys, machineId: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const temporary = `${path}.new`;
	await rm(temporary, { force: true });
	const file = await open(temporary, "wx", 0o600);
	try {
		await file.writeFile(JSON.stringify({ machine: machineHash(machineId, keys.host), keys: keys.secretKeys }));
		await file.sync();
	} finally {
		await file.close();
	}
	await rename(temporary, path);
}

/** The kept keys; undefined when there are none. Throws `fleet-refused` when the file cannot be used: a new name must be asked for, never taken silently. */
export async function readKeyFile(path: string, machineId: string): Promise<KeptKeys | undefined> {
	const text = await readFile(path, "utf8").catch((error: unknown) => {
		if (z.object({ code: z.literal("ENOENT") }).safeParse(error).success) return undefined;
		throw error;
	});
	if (text === undefined) return undefined;
	// A copy by hand, or from an archive, may have opened it to others.
	await chmod(path, 0o600);
	const parsed = keyFileSchema.safeParse(parseJson(text));
	const keys = parsed.success ? restoreHostKeys(parsed.data.keys) : undefined;
	if (!parsed.success || keys === undefined) {
		throw new AppError("fleet-refused", `The keys of this host in ${path} are damaged. Put the file back from a backup, or join again.`, {
			params: { reason: "damaged-keys", path },
		});
	}
	return { keys, isElsewhere: parsed.data.machine !== machineHash(machineId, keys.host) };
}

/** The machine's own id stays on it: only a hash that means nothing elsewhere is kept. */
const machineHash = (machineId: string, host: string) =>
	createHash("sha256").update(`rightseat machine\n${host}\n${machineId}`).digest("hex");
