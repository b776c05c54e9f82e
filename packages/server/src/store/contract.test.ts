import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { describeStoreContract } from "../../../../test/support/store-contract-harness.ts";
import { randomIds } from "../core/kernel/ids.ts";
import { silentLogger } from "../core/kernel/logger.ts";
import { openStore } from "./open-store.ts";

const openAt = (path: string) => openStore({ path, clock: createFakeClock(), ids: randomIds, logger: silentLogger });

describeStoreContract("SQLite in a file", async () => {
	const home = mkdtempSync(join(tmpdir(), "rightseat-contract-"));
	const { store, close } = openAt(join(home, "rightseat.db"));
	return {
		store,
		async close() {
			await close();
			rmSync(home, { recursive: true, force: true });
		},
	};
});

// What half of core's tests run on.
describeStoreContract("SQLite in memory", async () => openAt(":memory:"));
