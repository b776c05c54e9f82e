import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMark } from "@rightseat/shell/process/process-mark";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../core/kernel/clock.ts";
import { killLeftAgents } from "../../leftovers.ts";
import { createMarkers } from "../../markers.ts";
import { runtimeProcess } from "./client-options.ts";
import { createMarkedClient } from "./marked-client.ts";

const WAIT = { timeout: 20_000 };
/** Says nothing, and leaves a process that has neither its environment nor its session. */
const PROGRAM = `#!/bin/bash
until grep -q '^Max realtime timeout *4' /proc/$$/limits; do sleep 0.05; done
env -i setsid sleep 1000 </dev/null >/dev/null 2>&1 &
echo $! > "$0.left"
exec sleep 1000
`;

async function start() {
	const home = mkdtempSync(join(tmpdir(), "rightseat-marked-"));
	const program = join(home, "runtime");
	writeFileSync(program, PROGRAM);
	chmodSync(program, 0o700);
	const markers = createMarkers(home);
	const client = await createMarkedClient({ home, env: { ...process.env, COPILOT_CLI_PATH: program } }, markers, systemClock);
	onTestFinished(async () => {
		await client.forceStop();
		rmSync(home, { recursive: true, force: true });
	});
	client.start().catch(() => undefined);
	await expect.poll(() => readLeft(`${program}.left`), WAIT).toBeGreaterThan(0);
	return { client, home, markers, left: readLeft(`${program}.left`) };
}
function readLeft(file: string): number {
	try {
		return Number(readFileSync(file, "utf8"));
	} catch {
		return 0;
	}
}

const linux = test.skipIf(process.platform !== "linux");

linux("[RT445] what the runtime left ends with it when it dies", async () => {
	const { client, home, markers, left } = await start();
	const runtime = runtimeProcess(client);
	// A start of this very server ends nothing of it.
	await killLeftAgents(home, markers.run, systemClock);
	const ours = expect.stringMatching(new RegExp(`^${markers.run}`));
	expect([findMark(left), findMark(runtime?.pid ?? 0)]).toEqual([ours, ours]);
	runtime?.kill("SIGKILL");
	await expect.poll(() => findMark(left), WAIT).toBeUndefined();
});

linux("[RT445] what the runtime left is gone when it is stopped by force, and an earlier server's at the next start", async () => {
	const stopped = await start();
	await stopped.client.forceStop();
	expect(findMark(stopped.left)).toBeUndefined();
	const killed = await start();
	await killLeftAgents(killed.home, createMarkers(killed.home).run, systemClock);
	expect(findMark(killed.left)).toBeUndefined();
});
