import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hostIdSchema, hostNameSchema } from "@rightseat/protocol/fleet/ids";
import * as z from "zod/mini";
import { AppError } from "../../core/kernel/errors.ts";
import type { HostKeys } from "../crypto/host-keys.ts";
import { readKeyFile, writeKeyFile } from "../crypto/key-file.ts";
import { parseJson } from "../crypto/parse-json.ts";
import { createJournal, type Journal } from "./journal.ts";
import { readMachineId } from "./machine-id.ts";

const placeSchema = z.object({ fleet: hostIdSchema, name: hostNameSchema, since: z.int().check(z.minimum(0)) });
/** Which fleet, and what this host is called there. */
export type FleetPlace = z.infer<typeof placeSchema>;

/** Who this host is in its fleet. */
export interface Identity extends FleetPlace {
	keys: HostKeys;
	/** The fleet's root key, on the host that founded it. */
	root: HostKeys | undefined;
}

/** This host's place in a fleet, as files for their owner only: a command must find them without the database, which belongs to the server. */
export interface FleetHome {
	readonly folder: string;
	/** Invitations that a running server is asked to answer. */
	readonly invites: string;
	/** The files of those that wait there. Never rejects. */
	listInvites(): Promise<string[]>;
	readonly history: Journal;
	readonly contentKeys: Journal;
	/** Undefined: it belongs to none. Throws `fleet-refused` when the files are damaged, or are of another machine. */
	find(): Promise<Identity | undefined>;
	/** Takes a place; it counts when this resolves. */
	take(identity: Identity): Promise<void>;
	/** Changes whenever a command has changed who this host is. */
	version(): Promise<string>;
	/** The run that had this place last; undefined when there was none. */
	lastRun(): Promise<string | undefined>;
	keepRun(run: string): Promise<void>;
	/** The disk was moved to this machine, and the one before does not run any more. */
	moved(): Promise<void>;
	/** Nothing is left. */
	leave(): Promise<void>;
}

export function createFleetHome(home: string, machineId: () => Promise<string> = readMachineId): FleetHome {
	const folder = join(home, "fleet");
	const [placeFile, keyFile, rootFile] = [join(folder, "fleet.json"), join(folder, "host.json"), join(folder, "root.json")];
	const [runFile, invites] = [join(folder, "run"), join(folder, "invites")];
	const damaged = (path: string) =>
		new AppError("fleet-refused", `The keys of this host in ${path} are damaged. Put the file back from a backup, or join again.`, {
			params: { reason: "damaged-keys", path },
		});
	return {
		folder,
		invites,
		async listInvites() {
			// Without the folder nobody was ever invited.
			const names = await readdir(invites).catch(() => []);
			return names.filter((name) => name.endsWith(".json")).map((name) => join(invites, name));
		},
		history: createJournal(join(folder, "history.jsonl")),
		contentKeys: createJournal(join(folder, "content-keys.jsonl")),
		async find() {
			const place = await readPlace(placeFile);
			if (place === undefined) return undefined;
			if (place === "damaged") throw damaged(placeFile);
			const machine = await machineId();
			const [kept, root] = [await readKeyFile(keyFile, machine), await readKeyFile(rootFile, machine)];
			if (kept === undefined) throw damaged(keyFile);
			if (kept.isElsewhere) {
				throw new AppError(
					"fleet-refused",
					'This host\'s place in the fleet was made on another machine. If the disk was moved: "rightseat fleet moved". If it was copied: "rightseat fleet leave --here", then join again.',
					{ params: { reason: "moved" } },
				);
			}
			return { ...place, keys: kept.keys, root: root?.keys };
		},
		async take({ fleet, name, since, keys, root }) {
			await mkdir(folder, { recursive: true, mode: 0o700 });
			const machine = await machineId();
			await writeKeyFile(keyFile, keys, machine);
			if (root !== undefined) await writeKeyFile(rootFile, root, machine);
			// Last: without it the rest counts as nothing.
			await writeFile(`${placeFile}.new`, JSON.stringify({ fleet, name, since }), { mode: 0o600 });
			await rename(`${placeFile}.new`, placeFile);
		},
		async version() {
			const read = async (file: string) => {
				const found = await stat(file).catch(() => undefined);
				return found === undefined ? "none" : `${found.ino} ${found.mtimeMs}`;
			};
			return `${await read(placeFile)} ${await read(keyFile)}`;
		},
		lastRun: () => readFile(runFile, "utf8").catch(() => undefined),
		keepRun: (run) => writeFile(runFile, run, { mode: 0o600 }),
		async moved() {
			const machine = await machineId();
			for (const file of [keyFile, rootFile]) {
				const kept = await readKeyFile(file, machine);
				if (kept !== undefined) await writeKeyFile(file, kept.keys, machine);
			}
		},
		async leave() {
			// First: a crash must not leave a place without keys.
			await rm(placeFile, { force: true });
			// A server that runs may write a last line there.
			await rm(folder, { recursive: true, force: true, maxRetries: 10 });
		},
	};
}

async function readPlace(file: string): Promise<FleetPlace | "damaged" | undefined> {
	const text = await readFile(file, "utf8").catch((error: unknown) => {
		if (z.object({ code: z.literal("ENOENT") }).safeParse(error).success) return undefined;
		throw error;
	});
	if (text === undefined) return undefined;
	const parsed = placeSchema.safeParse(parseJson(text));
	return parsed.success ? parsed.data : "damaged";
}
