import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { openStore } from "../../../packages/server/src/store/open-store.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { makeScratch, sweepScratch } from "./scratch.ts";

const made: { bytes?: Promise<Buffer> } = {};

/** A database with all tables and nothing in them, made once for each process and kept in its memory, so that nothing is left behind. */
export function templateDatabase(): Promise<Buffer> {
	made.bytes ??= makeTemplate();
	return made.bytes;
}

async function makeTemplate(): Promise<Buffer> {
	sweepScratch();
	const folder = makeScratch();
	try {
		const path = join(folder, "rightseat.db");
		const opened = openStore({
			...{ path, clock: createFakeClock(), logger: silentLogger, ids: { next: () => "none" }, bootId: "boot 0", isSingleThreaded: true },
			syncer: { sync: (done) => done(), close: async () => undefined },
		});
		await opened.close();
		return readFileSync(path);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
