import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHostKeys } from "../crypto/host-keys.ts";
import { createFleetHome, type Identity } from "./fleet-home.ts";
import { createJournal } from "./journal.ts";

let home: string;
let machine: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-fleet-home-"));
	machine = "machine-1";
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () => createFleetHome(home, () => Promise.resolve(machine));
const newIdentity = (): Identity => ({
	fleet: createHostKeys().host,
	name: "desk",
	since: 1,
	keys: createHostKeys(),
	root: createHostKeys(),
});
const shown = (identity: Identity | undefined) => identity && { ...identity, keys: identity.keys.host, root: identity.root?.host };

test("[FL159] a place comes back as it was taken, is another version when it changed, and leaves nothing behind", async () => {
	const [place, identity] = [open(), newIdentity()];
	expect([await place.find(), await place.lastRun()]).toEqual([undefined, undefined]);
	const before = await place.version();
	await place.take(identity);
	expect(shown(await open().find())).toEqual(shown(identity));
	expect(await place.version()).not.toBe(before);
	await place.keepRun("run-1 desk");
	expect(await open().lastRun()).toBe("run-1 desk");
	for (const name of ["fleet.json", "host.json", "root.json", "run"]) expect(statSync(join(home, "fleet", name)).mode & 0o077).toBe(0);
	await place.leave();
	expect(await open().find()).toBeUndefined();
	expect(statSync(join(home, "fleet"), { throwIfNoEntry: false })).toBeUndefined();
});

test("[FL159] on another machine it is refused until a person has said that the disk was moved; damaged files are said", async () => {
	const identity = newIdentity();
	await open().take(identity);
	machine = "machine-2";
	await expect(open().find()).rejects.toMatchObject({ code: "fleet-refused", params: { reason: "moved" } });
	await open().moved();
	expect(shown(await open().find())).toEqual(shown(identity));
	writeFileSync(join(home, "fleet", "fleet.json"), "{");
	await expect(open().find()).rejects.toMatchObject({ params: { reason: "damaged-keys" } });
});

test("[FL159] a journal keeps its order whoever writes it, and a torn line costs only itself", async () => {
	const file = join(home, "journal.jsonl");
	const [one, two] = [createJournal(file), createJournal(file)];
	expect(await one.read()).toEqual([]);
	await one.append([1, { a: 2 }]);
	appendFileSync(file, '{"torn":');
	await two.append(["three"]);
	expect(await one.read()).toEqual([1, { a: 2 }, "three"]);
	expect(statSync(file).mode & 0o077).toBe(0);
});
