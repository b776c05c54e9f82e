import { spawn } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { loadSqlite } from "../sqlite/sqlite-loader.ts";
import { openChat, openTestStore, temporaryHome } from "../store-harness.ts";
import { SQLITE_JOB_SCRIPT } from "./integrity-check.ts";

// Stands for SQLite at work on a very large file: it never comes back, and no signal handler could run.
const ENDLESS = "exports.DatabaseSync = class { constructor() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); } };";
const SERVER = `
	const { spawn } = require("node:child_process");
	const [script, input] = process.argv.slice(1);
	const job = spawn(process.execPath, ["-e", script, input], { stdio: ["pipe", "ignore", "pipe"] });
	process.stdout.write(String(job.pid));
	setInterval(() => undefined, 1000);
`;

const isAlive = (pid: number) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

test("[ST104] a check or a backup ends with the server that began it, also when that was killed", async () => {
	const { home } = temporaryHome();
	const specifier = join(home, "endless.cjs");
	writeFileSync(specifier, ENDLESS);
	const server = spawn(process.execPath, ["-e", SERVER, SQLITE_JOB_SCRIPT, JSON.stringify({ specifier, mark: "", source: "any" })]);
	const pid = Number(await new Promise((resolve) => server.stdout.once("data", resolve)));
	expect(isAlive(pid)).toBe(true);
	server.kill("SIGKILL");
	await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });
});

test("[ST105] a killed server starts again at once although somebody still reads its database", async () => {
	const place = temporaryHome();
	const killed = openChat(place);
	killed.say("before the kill");
	// What a kill leaves: the files as they are.
	const path = join(place.home, "left.db");
	for (const suffix of ["", "-wal"]) copyFileSync(`${place.path}${suffix}`, `${path}${suffix}`);
	const reader = new (loadSqlite().module.DatabaseSync)(path, { readOnly: true });
	reader.exec("BEGIN");
	expect(reader.prepare("SELECT count(*) AS count FROM messages").get()).toEqual({ count: 1 });

	const { store, health, close } = openTestStore({ path });
	store.settings.set("web.after", "the start");
	expect([health().state, store.settings.get("web.after")]).toEqual(["ok", "the start"]);
	reader.close();
	await close();
	await killed.close();
});
