import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHostKeys } from "./host-keys.ts";
import { readKeyFile, writeKeyFile } from "./key-file.ts";

let folder = "";
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "rightseat-keys-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("[FL38] keys are kept for their owner only and come back; a file that others could read is closed again", async () => {
	const path = join(folder, "fleet", "keys.json");
	const keys = createHostKeys();
	expect(await readKeyFile(path, "m1")).toBeUndefined();
	await writeFile(join(folder, "left"), "");
	await writeKeyFile(path, keys, "m1");
	expect([(await stat(path)).mode & 0o777, (await stat(join(folder, "fleet"))).mode & 0o777]).toEqual([0o600, 0o700]);
	await chmod(path, 0o644);
	const kept = await readKeyFile(path, "m1");
	expect([kept?.keys.secretKeys, kept?.isElsewhere, (await stat(path)).mode & 0o777]).toEqual([keys.secretKeys, false, 0o600]);
	expect(await readdir(join(folder, "fleet"))).toEqual(["keys.json"]);
});

test("[FL39] keys on another machine are told apart, and damaged ones are an error, never a new name", async () => {
	const path = join(folder, "keys.json");
	await writeKeyFile(path, createHostKeys(), "m1");
	expect(await readKeyFile(path, "m2")).toMatchObject({ isElsewhere: true });
	for (const damage of ["", "{", '{"machine":"x","keys":{}}']) {
		await writeFile(path, damage);
		await expect(readKeyFile(path, "m1")).rejects.toMatchObject({ code: "fleet-refused", params: { reason: "damaged-keys" } });
	}
});
