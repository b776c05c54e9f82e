import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { packProgram } from "../../support/pack-program.ts";
import { createStandInAccount, type StandInAccount } from "../../support/stand-in-systemd/stand-in-systemd.ts";

// Each waits for servers that start, some for two in a row.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

const ROOT = join(import.meta.dirname, "..", "..", "..");
const urlOf = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, path)).href);
const isBuilt = process.env.RIGHTSEAT_TEST_BUILT === "1";
const manifest: { version: string } = JSON.parse(readFileSync(join(ROOT, "packages/server/package.json"), "utf8"));

/** The server of this checkout, as the program of a package. */
const WORKS = `if (process.argv[2] === "prepare") process.exit(0);
${isBuilt ? "" : `await import(${urlOf("node_modules/tsx/dist/loader.mjs")});`}
await import(${urlOf(isBuilt ? "packages/server/dist/main.js" : "packages/server/src/app/main.ts")});`;
/** Says its version, and ends as soon as it should serve. */
const BROKEN = `if (process.argv[2] === "version") console.log("9.9.9");
if (process.argv[2] === "service") process.exit(2);`;
/** Likewise, but it has changed the schema by then, and written. */
const MIGRATES = `import { createRequire } from "node:module";
if (process.argv[2] === "service") {
	const { DatabaseSync } = createRequire(${urlOf("packages/server/package.json")})("@photostructure/sqlite");
	const database = new DatabaseSync(process.argv[5] + "/rightseat.db");
	database.exec("INSERT INTO migrations (name, applied_at) VALUES ('9999-later', 0)");
	database.close();
}
${BROKEN}`;

let account: StandInAccount;
let packages: string;
beforeAll(async () => {
	account = createStandInAccount();
	packages = mkdtempSync(join(tmpdir(), "rightseat-packages-"));
	expect(await account.rightseat(["service", "install"])).toMatchObject({ exit: 0 });
});
afterAll(() => {
	account.close();
	rmSync(packages, { recursive: true });
});

const pack = (content: Parameters<typeof packProgram>[1]) => packProgram(packages, content);

const versions = () => join(account.userHome, ".local", "share", "rightseat", "rightseat");
const api = async (path: string, init: RequestInit = {}) => {
	const server: { url: string } = JSON.parse(readFileSync(join(account.home, "server.json"), "utf8"));
	const token = readFileSync(join(account.home, "token"), "utf8").trim();
	const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
	return await (await fetch(server.url + path, { ...init, headers })).json();
};
const createConversation = async (title: string) =>
	String((await api("/api/conversations", { method: "POST", body: JSON.stringify({ title }) })).conversation.id);
const backups = () => readdirSync(join(account.home, "backups")).filter((name) => name.endsWith("-before-upgrade.db"));

test("[SV53] what is no version and no package, is not Rightseat or does not run changes nothing; the old version runs on", async () => {
	const { pid } = account.state();
	const bad = await account.rightseat(["service", "update", "next week"]);
	expect([bad.exit, bad.stderr]).toEqual([
		2,
		'rightseat service: "next week" is neither a version like 1.2.3 nor a package file that exists.\n',
	]);
	const broken = join(packages, "broken.tgz");
	writeFileSync(broken, "not a package");
	const dies = pack({ version: "9.9.8", program: 'throw new TypeError("needs another Node");' });
	const other = pack({ name: "other", version: "1.0.0", program: WORKS });
	for (const [file, sentence] of [
		[broken, /could not be installed: .+/],
		[other, /this package is not Rightseat\./],
		[dies, /does not run here: .+/],
	] as const) {
		const { exit, stderr } = await account.rightseat(["service", "update", file]);
		expect([exit, stderr]).toEqual([1, expect.stringMatching(sentence)]);
		expect(stderr).toMatch(/^rightseat service: .+ Nothing was changed; the old version runs on\.\n$/);
	}
	expect(account.state().pid).toBe(pid);
	expect([readdirSync(versions()), backups()]).toEqual([[], []]);
});

test("[SV54] a disk that refuses the backup changes nothing, and the old version runs again", async () => {
	const folder = join(account.home, "backups");
	renameSync(folder, `${folder}.away`);
	writeFileSync(folder, "");
	const definition = readFileSync(account.unitFile, "utf8");
	const { exit, stderr } = await account.rightseat(["service", "update", pack({ version: manifest.version, program: WORKS })]);
	rmSync(folder);
	renameSync(`${folder}.away`, folder);
	expect([exit, stderr]).toEqual([1, expect.stringMatching(/^rightseat service: .+ Nothing was changed; the old version runs on\.\n$/)]);
	expect([readFileSync(account.unitFile, "utf8"), readdirSync(versions())]).toEqual([definition, []]);
	expect(await account.rightseat(["service", "restart"])).toMatchObject({ exit: 0 });
});

test("[SV51] a new version that is not healthy is taken back; it had not changed the schema, so nothing was restored", async () => {
	const id = await createConversation("before the update");
	const definition = readFileSync(account.unitFile, "utf8");
	const { exit, stderr } = await account.rightseat(["service", "update", pack({ version: "9.9.9", program: BROKEN })]);
	expect([exit, stderr]).toEqual([
		1,
		expect.stringMatching(
			/^Version 9\.9\.9 is not healthy .+\nThe new version had not changed .+\nrightseat service: the update was taken back; .+\n$/,
		),
	]);
	expect([readFileSync(account.unitFile, "utf8"), readdirSync(versions())]).toEqual([definition, []]);
	expect((await api(`/api/conversations/${id}`)).conversation.title).toBe("before the update");
	expect(readdirSync(account.home).filter((name) => name.includes("replaced"))).toEqual([]);
	expect(backups()).toHaveLength(1);
});

test("[SV52] when it had changed the schema the backup is restored, readers begin anew, and what it had written is kept aside and named", async () => {
	const id = await createConversation("kept");
	const { epoch } = (await api(`/api/conversations/${id}`)).conversation;
	const { exit, stdout, stderr } = await account.rightseat(["service", "update", pack({ version: "9.9.9", program: MIGRATES })]);
	expect(exit).toBe(1);
	const aside = /is kept in (\S+);/.exec(stderr)?.[1] ?? "";
	expect(stdout).toMatch(/^Backup: \S+-before-upgrade\.db$/m);
	expect(readFileSync(aside).includes("9999-later") || readFileSync(`${aside}-wal`).includes("9999-later")).toBe(true);
	expect(stderr).toMatch(/the update was taken back; the old version runs and answers\.\n$/);
	const after = (await api(`/api/conversations/${id}`)).conversation;
	expect([after.title, after.epoch === epoch]).toEqual(["kept", false]);
});

test("[SV50] update installs the new version beside the old one, makes a backup, changes over and ends when it is healthy", async () => {
	const id = await createConversation("over the update");
	const { exit, stdout } = await account.rightseat(["service", "update", pack({ version: manifest.version, program: WORKS })]);
	expect([exit, stdout]).toEqual([0, expect.stringMatching(new RegExp(`\\nRightseat ${manifest.version} runs and answers\\.\\n$`))]);
	expect(readlinkSync(join(versions(), "current"))).toBe(manifest.version);
	const program = join(versions(), "current", "node_modules", "rightseat", "scripts", "rightseat.mjs");
	expect(readFileSync(`/proc/${account.state().pid}/cmdline`, "utf8").split("\0")).toContain(program);
	expect((await api(`/api/conversations/${id}`)).conversation.title).toBe("over the update");
});

test("[SV55] a later install keeps the version that was updated to, another update keeps it beside the next and nothing older, and uninstall removes them all", async () => {
	expect((await account.rightseat(["service", "install"])).stdout).toContain("nothing was changed.");
	mkdirSync(join(versions(), "0.0.1"));
	const again = await account.rightseat(["service", "update", pack({ version: manifest.version, program: WORKS })]);
	expect(again.stdout).toContain(`The version before it is kept in ${join(versions(), manifest.version)}\n`);
	expect(readdirSync(versions()).sort()).toEqual([manifest.version, expect.stringContaining(`${manifest.version}-`), "current"]);
	expect(await account.rightseat(["uninstall", "--yes"])).toMatchObject({ exit: 0 });
	expect([join(versions(), ".."), account.home].map((path) => existsSync(path))).toEqual([false, false]);
});
