import { afterAll, beforeAll, expect, test } from "vitest";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { type DeadMount, openDeadMount } from "../../support/dead-mount.ts";
import { openShellBed, type ShellBed } from "./shell-harness.ts";

const dead: DeadMount | undefined = openDeadMount();
let bed: ShellBed;
beforeAll(async () => {
	bed = await openShellBed();
});
afterAll(async () => {
	await bed.close();
	dead?.close();
});

test.skipIf(dead === undefined)(
	"[SH103] on a mount that does not answer only the command that wanted it waits, and it can be ended",
	async () => {
		const stuckHere = conversationId("stuck");
		const path = dead?.path ?? "";
		bed.shell.setCwd(stuckHere, path);
		expect(bed.shell.cwd(stuckHere, bed.work)).toBe(path);
		const stuck = bed.shell.exec({ conversationId: stuckHere, command: "echo never", defaultCwd: bed.work, onOutput: () => undefined });
		const abort = new AbortController();
		const asked = bed.call("Bash", { command: "echo never" }, { conversation: stuckHere, signal: abort.signal });
		const background = await bed.call("Bash", { command: "echo never", run_in_background: true }, { conversation: stuckHere });
		for (let round = 0; round < 3; round++) expect((await bed.exec(`echo others ${round}`)).output).toBe(`others ${round}\n`);
		stuck.kill();
		abort.abort();
		expect(await stuck.done).toMatchObject({ end: "killed", output: "" });
		expect((await asked).text).toContain("stopped by the user");
		expect(await bed.call("KillBash", { bash_id: /bash_\d+/.exec(background.text)?.[0] }, { conversation: stuckHere })).toMatchObject({
			ok: true,
		});
		expect((await bed.exec("echo others")).output).toBe("others\n");
	},
);
