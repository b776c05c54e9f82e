import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { LOOK_LIMIT_MS } from "../../../packages/server/src/services/work-roots/folder-calls.ts";
import { createFolderClient } from "../../../packages/server/src/services/work-roots/folder-client.ts";
import { forkFolderProcess } from "../../../packages/server/src/services/work-roots/fork-folder-process.ts";
import { openDeadMount } from "../../support/dead-mount.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { childrenOf } from "../shell/shell-harness.ts";

const entry = join(import.meta.dirname, "../../../packages/server/src/services/work-roots/folder-process.ts");
const root = mkdtempSync(join(tmpdir(), "rightseat-folders-"));
const dead = openDeadMount();
// Moved by hand: how long this machine takes for an answer decides nothing.
const clock = createFakeClock();
const folders = createFolderClient({ clock, logger: silentLogger, start: (listener) => forkFolderProcess(entry, listener) });
afterAll(() => {
	folders.close();
	dead?.close();
	rmSync(root, { recursive: true, force: true });
});

test("[SH104] the folder process looks, lists and finds, and tells what is not there from what it could not find out", async () => {
	mkdirSync(join(root, "b/deep"), { recursive: true });
	mkdirSync(join(root, ".hidden"));
	writeFileSync(join(root, "b/deep/notes.txt"), "");
	expect(await folders.look(join(root, "b/../b"))).toEqual({ realPath: join(root, "b"), isDirectory: true });
	expect(await folders.look(join(root, "b/deep/notes.txt"))).toMatchObject({ isDirectory: false });
	expect(await folders.look(join(root, "nothing"))).toBeUndefined();
	expect(await folders.children(root)).toEqual(["b", ".hidden"]);
	await expect(folders.children(join(root, "nothing"))).rejects.toMatchObject({ code: "forbidden" });
	expect(await folders.find(root, "notes")).toEqual(["b/deep/notes.txt"]);
});

test.skipIf(dead === undefined)("[SH104] a mount that does not answer stops neither this process nor the next look", async () => {
	const path = join(dead?.path ?? "", "project");
	const asked = [folders.look(path), folders.children(path), folders.find(path, "x")];
	const failed = Promise.all(asked.map((call) => expect(call).rejects.toMatchObject({ code: "folder-not-answering" })));
	expect(await folders.look(root)).toMatchObject({ isDirectory: true });
	const [stuck] = children();
	await clock.advance(LOOK_LIMIT_MS);
	await failed;
	expect(await folders.look(root)).toMatchObject({ isDirectory: true });
	await expect.poll(children).not.toContain(stuck);
});

const children = () => childrenOf(process.pid).map(({ pid }) => pid);
