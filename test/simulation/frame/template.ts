import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { openStore } from "../../../packages/server/src/store/open-store.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

/** In memory where the system has such a folder: nothing here needs to survive. */
export const scratchFolder = () => (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

const made: { path?: Promise<string> } = {};

/** A database with all tables and nothing in them, made once for each process and removed with it. */
export function templateDatabase(): Promise<string> {
	made.path ??= makeTemplate();
	return made.path;
}

async function makeTemplate(): Promise<string> {
	const folder = mkdtempSync(join(scratchFolder(), "rightseat-template-"));
	const path = join(folder, "rightseat.db");
	const opened = openStore({
		...{ path, clock: createFakeClock(), logger: silentLogger, ids: { next: () => "none" }, bootId: "boot 0", isSingleThreaded: true },
		syncer: { sync: (done) => done(), close: async () => undefined },
	});
	await opened.close();
	process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
	return path;
}
