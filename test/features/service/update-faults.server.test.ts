import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createRunTool } from "../../../packages/server/src/app/service/run-tool.ts";
import type { ServiceDeps } from "../../../packages/server/src/app/service/service-deps.ts";
import { servicePlace } from "../../../packages/server/src/app/service/service-place.ts";
import { createSystemdManager } from "../../../packages/server/src/app/service/systemd-manager.ts";
import { updateService } from "../../../packages/server/src/app/service/update.ts";
import { waitUntilHealthy } from "../../../packages/server/src/app/service/wait-until-healthy.ts";
import { serviceWords } from "../../../packages/server/src/app/service/words.ts";
import { packProgram } from "../../support/pack-program.ts";
import { createStandInAccount, type StandInAccount } from "../../support/stand-in-systemd/stand-in-systemd.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const PLENTY = { freeBytes: 1e12, device: 1 };

/** A server as small as one can be: it writes `server.json` and answers `/healthz`, or takes connections and says nothing. */
const program = ({ version, says = version, answers = true }: { version: string; says?: string; answers?: boolean }) => `
import { createServer } from "node:http";
import { renameSync, rmSync, writeFileSync } from "node:fs";
if (process.argv[2] === "version") console.log("${version}");
if (process.argv[2] === "service") {
	const file = process.argv[5] + "/server.json";
	const server = createServer((_, response) => ${answers} && response.end('{"status":"ok"}'));
	server.listen(0, "127.0.0.1", () => {
		const url = "http://127.0.0.1:" + server.address().port;
		writeFileSync(file + ".new", JSON.stringify({ url, pid: process.pid, version: "${says}", startedAt: "now" }));
		renameSync(file + ".new", file);
	});
	process.on("SIGTERM", () => {
		rmSync(file, { force: true });
		process.exit(0);
	});
}`;

let account: StandInAccount;
let packages: string;
let deps: ServiceDeps;
let said: string[] = [];
let nowMs = 0;
beforeAll(async () => {
	account = createStandInAccount();
	packages = mkdtempSync(join(tmpdir(), "rightseat-packages-"));
	const old = join(packages, "old.mjs");
	writeFileSync(old, program({ version: "1.0.0" }));
	mkdirSync(join(account.home, "logs"), { recursive: true });
	const { DatabaseSync } = createRequire(join(ROOT, "packages/server/package.json"))("@photostructure/sqlite");
	const database = new DatabaseSync(join(account.home, "rightseat.db"));
	database.exec("CREATE TABLE migrations (name TEXT, applied_at INTEGER); CREATE TABLE meta (key TEXT PRIMARY KEY, value)");
	database.close();
	const env = account.environment();
	const place = servicePlace(account.home, { userHome: account.userHome, env, supervisor: "systemd" });
	const [run, words] = [createRunTool(env), serviceWords("en")];
	const manager = createSystemdManager({ place, run, user: "person", words });
	const launch = { program: process.execPath, args: [old, "service", "run", "--home", account.home] };
	const print = (text: string) => void said.push(text);
	// Time stands still while something happens, and jumps where nothing would.
	const time: ServiceDeps["time"] = {
		now: () => nowMs,
		async wait() {
			if (existsSync(join(account.home, "server.json")) && readServerFile().version === "9.9.9") nowMs += 61_000;
			else await sleep(20);
		},
	};
	const cli = { argv: [], env, cwd: account.cwd, print, printError: print, commands: [] };
	deps = { cli, words, supervisor: "systemd", place, manager, launch, run, ask: undefined, time, disk: () => PLENTY };
	mkdirSync(join(account.unitFile, ".."), { recursive: true });
	writeFileSync(account.unitFile, await manager.definition(launch, { strict: false }));
	await manager.enable();
	expect((await waitUntilHealthy(deps)).server?.version).toBe("1.0.0");
});
afterAll(() => {
	account.close();
	rmSync(packages, { recursive: true });
});
beforeEach(() => {
	said = [];
	nowMs = 0;
});

const readServerFile = (): { url: string; version: string } => JSON.parse(readFileSync(join(account.home, "server.json"), "utf8"));
const versionsFolder = () => join(account.userHome, ".local", "share", "rightseat", "rightseat");
const isOldAlone = async () => {
	const { url, version } = readServerFile();
	return (
		version === "1.0.0" &&
		(await fetch(`${url}/healthz`)).ok &&
		(!existsSync(versionsFolder()) || readdirSync(versionsFolder()).length === 0)
	);
};

const pack = (text: string) => packProgram(packages, { version: "9.9.9", program: text });

test("[SV77] too little space for the version, or for a backup and its way back, is one line before anything is fetched", async () => {
	const { pid } = account.state();
	const disks = { versions: PLENTY, home: { freeBytes: 60 * 1_048_576, device: 2 } };
	const disk = (folder: string) => (folder === account.home ? disks.home : disks.versions);
	const file = pack(program({ version: "9.9.9" }));
	await expect(updateService([file], { ...deps, disk })).rejects.toThrow(
		new RegExp(`^there is not enough free space: \\d+ MB are needed in ${account.home}, 60 MB are free\\. .+ Nothing was changed; `),
	);
	// On one disk both are needed at once.
	const one = { freeBytes: 450 * 1_048_576, device: 1 };
	await expect(updateService([file], { ...deps, disk: () => one })).rejects.toThrow(/needed in \S+\/rightseat\/rightseat, 450 MB are free/);
	expect([said, account.state().pid, existsSync(versionsFolder())]).toEqual([[], pid, false]);
});

test("[SV77] a disk that is filled while the version is fetched changes nothing", async () => {
	const { pid } = account.state();
	let looks = 0;
	const disk = () => (looks++ < 2 ? PLENTY : { freeBytes: 0, device: 1 });
	await expect(updateService([pack(program({ version: "9.9.9" }))], { ...deps, disk })).rejects.toThrow(
		/, 0 MB are free\. .+ Nothing was changed/,
	);
	expect([account.state().pid, await isOldAlone()]).toEqual([pid, true]);
});

test("[SV75] a new version that takes connections and never answers is taken back when its minute is over", async () => {
	const definition = readFileSync(account.unitFile, "utf8");
	const update = updateService([pack(program({ version: "9.9.9", answers: false }))], deps);
	await expect(update).rejects.toThrow("the update was taken back; the old version runs and answers.");
	expect(said.join("\n")).toMatch(/Version 9\.9\.9 is not healthy \(active\/running, .+\)\. Going back/);
	expect([nowMs > 60_000, readFileSync(account.unitFile, "utf8"), await isOldAlone()]).toEqual([true, definition, true]);
});

test("[SV76] a service that answers, but as another version, is taken back too", async () => {
	const update = updateService([pack(program({ version: "9.9.9", says: "1.2.3" }))], deps);
	await expect(update).rejects.toThrow("the update was taken back; the old version runs and answers.");
	expect(said.join("\n")).toContain("Version 9.9.9 is not healthy (version 1.2.3). Going back");
	expect(await isOldAlone()).toBe(true);
});
