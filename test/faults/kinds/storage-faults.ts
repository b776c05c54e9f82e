import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { slowSyncs } from "../../support/slow-syncs.ts";
import type { Fault } from "../fault.ts";
import { sendPrompt } from "../history.ts";
import { wait } from "../wait.ts";

const LOST = [{ anyOf: ["lost"] }];
const SYNC_DELAY_MS = 300;

/** What a machine that went down leaves behind, and a disk that is slow but sound. */
export const STORAGE_FAULTS: Fault[] = [
	{
		name: "stale-pid",
		breaks: "the server is killed, and the process number that it left now belongs to another user's process",
		restarts: true,
		shows: LOST,
		async inject(world) {
			await world.server.kill("SIGKILL");
			for (const name of ["server.pid", "rightseat.db.pid"]) writeFileSync(join(world.server.home, name), "1 999");
			await world.revive();
		},
	},
	{
		name: "slow-disk",
		breaks: `the server is killed and started on a disk whose syncs take ${SYNC_DELAY_MS} ms longer, and killed again there`,
		restarts: true,
		shows: LOST,
		missing: () => (withShim((env) => env === undefined) ? "there is no C compiler here to slow the disk down with" : undefined),
		async inject(world, random) {
			const folder = mkdtempSync(join(tmpdir(), "rightseat-slow-"));
			world.server = await world.server.restart(slowSyncs(folder, SYNC_DELAY_MS));
			sendPrompt(world, `slow-${random.between(0, 1e9)}`);
			await wait(random.between(500, 4_000));
			world.server = await world.server.restart({ LD_PRELOAD: "" });
			rmSync(folder, { recursive: true, force: true });
		},
	},
];

function withShim<T>(look: (env: Record<string, string> | undefined) => T): T {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-slow-"));
	try {
		return look(slowSyncs(folder, 1));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
