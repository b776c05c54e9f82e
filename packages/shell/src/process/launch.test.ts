import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Snapshot } from "../state/snapshot.ts";
import { wrapCommand } from "../state/wrapper.ts";
import { launch } from "./launch.ts";
import { type Native, withoutNative } from "./native.ts";

const directory = mkdtempSync(join(tmpdir(), "rightseat-launch-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function run(
	command: string,
	native: Native = withoutNative,
): Promise<{ text: string; code: number | null; snapshot: Snapshot | "too-large" | undefined }> {
	const env = { PATH: process.env.PATH ?? "" };
	const shell = launch({
		key: "k",
		command,
		directories: ["/"],
		bash: "bash",
		env,
		tag: "test",
		runDirectory: directory,
		restore: null,
		native,
		started: new Set(),
	});
	const chunks: Buffer[] = [];
	shell.onData((chunk) => chunks.push(Buffer.from(chunk)));
	const closed = new Promise<void>((resolve) => shell.onClose(resolve));
	return new Promise((resolve) => {
		shell.onExit((code) => {
			void closed.then(() => resolve({ text: Buffer.concat(chunks).toString(), code, snapshot: shell.takeSnapshot() }));
		});
	});
}

test("[SH41] without the native library both outputs still come in order and the state is read", async () => {
	const { text, code, snapshot } = await run("for i in 1 2 3; do echo a$i; echo b$i >&2; done; A=1; exit 3");
	expect([text, code]).toEqual(["a1\nb1\na2\nb2\na3\nb3\n", 3]);
	expect(snapshot).toMatchObject({ cwd: "/", partial: false, jobs: [] });
	expect(typeof snapshot === "object" && snapshot.state.get("v:A")).toBe('declare -- A="1"');
	expect(readdirSync(directory)).toEqual([]);
});

test("[SH111] a bash that is too old says so instead of doing nothing", () => {
	const wrapper = wrapCommand({
		command: "/c",
		snapshot: "/s",
		names: "/n",
		restore: null,
		mergeErrors: false,
		entered: "/e",
		directories: ["/"],
		sayMoved: false,
		exactly: false,
	});
	const { stdout, status } = spawnSync("bash", ["-c", wrapper.replace(">= 404", ">= 9904")], { encoding: "utf8" });
	expect([stdout, status]).toEqual([expect.stringMatching(/^bash 4\.4 or later is needed, this is \d/), 127]);
});

test("[SH4] a snapshot that is not whole is not used", async () => {
	const { snapshot } = await run("A=1; kill -9 $$");
	expect(snapshot).toBeUndefined();
});
