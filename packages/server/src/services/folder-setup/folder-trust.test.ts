import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { createLocalFolders } from "../../../../../test/support/local-folders.ts";
import type { AuditRecord } from "../../core/ports/audit.ts";
import { createWorkRoots } from "../work-roots/work-roots.ts";
import { createFolderTrust } from "./folder-trust.ts";

let root: string;
beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-trust-")));
	for (const name of ["work/good/below", "work/bad", "out"]) mkdirSync(join(root, name), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Words that are kept for exactly the path that they are said about; what they mean for others is the store's business. */
function bed() {
	const said = new Map<string, boolean>();
	const audited: AuditRecord[] = [];
	const folders = createLocalFolders(createFakeClock());
	const trust = createFolderTrust({
		folders,
		roots: createWorkRoots([join(root, "work")], root, folders),
		trusted: {
			isTrusted: (path) => said.get(path) === true,
			list: () => [...said].map(([path, trusted]) => ({ path, trusted })),
			set: async (path, isTrusted) => void said.set(path, isTrusted),
		},
		audit: { record: (entry) => void audited.push(entry) },
	});
	const set = (path: string, trusted: boolean) => trust.set(path, { trusted, source: "127.0.0.1" });
	const isTrusted = async (path: string) => (await trust.setup(path)).trusted;
	return { trust, set, isTrusted, audited, said };
}

test("[FS20] a folder's set-up is told with whether it is trusted, under its real path, and what people said is audited", async () => {
	const { trust, set, audited } = bed();
	const good = join(root, "work/good");
	writeFileSync(join(good, "AGENTS.md"), "x");
	symlinkSync("good", join(root, "work/link"));
	const found = [{ kind: "instructions", name: "AGENTS.md", source: "AGENTS.md" }];
	expect(await trust.setup(join(root, "work/link"))).toEqual({ path: good, trusted: false, found });
	await set(good, true);
	expect(await trust.setup(good)).toEqual({ path: good, trusted: true, found });
	await set(good, false);
	expect(await trust.setup(good)).toEqual({ path: good, trusted: false, found });
	expect(audited).toEqual([
		{ kind: "folder-trust", source: "127.0.0.1", detail: `trusted ${good}` },
		{ kind: "folder-trust", source: "127.0.0.1", detail: `not trusted ${good}` },
	]);
});

test("[FS21] neither a link nor `..` brings trust to another folder, and a link that takes the place of a trusted one has none", async () => {
	const { set, isTrusted, said } = bed();
	const [good, bad] = [join(root, "work/good"), join(root, "work/bad")];
	symlinkSync("../bad", join(good, "inside"));
	await set(`${good}/below/../`, true);
	expect([...said]).toEqual([[good, true]]);
	expect([await isTrusted(`${good}/inside`), await isTrusted(`${good}/../bad`), await isTrusted(bad)]).toEqual([false, false, false]);
	renameSync(good, join(root, "work/moved"));
	symlinkSync("bad", good);
	expect(await isTrusted(good)).toBe(false);
	await set(good, false);
	rmSync(good);
	mkdirSync(good);
	expect(await isTrusted(good)).toBe(false);
});

test("[FS22] outside the work roots nothing is told and nothing trusted; trust in a folder that is gone or outside can be taken back, and given to none", async () => {
	const { trust, set, said, audited } = bed();
	const good = join(root, "work/good");
	symlinkSync("../out", join(root, "work/way-out"));
	for (const path of [join(root, "out"), join(root, "work/way-out"), join(root, "work/../out")]) {
		await expect(trust.setup(path)).rejects.toMatchObject({ code: "forbidden" });
		await expect(set(path, true)).rejects.toMatchObject({ code: "forbidden" });
	}
	for (const path of ["good", "", join(root, "work/none"), `${good}\0`]) {
		await expect(trust.setup(path)).rejects.toMatchObject({ code: "cwd-missing" });
		for (const trusted of [true, false]) await expect(set(path, trusted)).rejects.toMatchObject({ code: "cwd-missing" });
	}
	expect([said.size, audited.length]).toEqual([0, 0]);
	await set(good, true);
	rmSync(good, { recursive: true });
	await expect(set(good, true)).rejects.toMatchObject({ code: "cwd-missing" });
	await set(good, false);
	expect([...said]).toEqual([[good, false]]);
	// It was trusted when there were other roots.
	said.set(join(root, "out"), true);
	await set(join(root, "out"), false);
	expect(trust.list()).toContainEqual({ path: join(root, "out"), trusted: false });
});
