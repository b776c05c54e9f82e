import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "../../../core/kernel/errors.ts";
import { readOutboundFile } from "./outbound-file.ts";

test("[SH104] a file on a mount that does not answer is refused before this process touches it", async () => {
	const folders = {
		look: async (path: string) => {
			if (path.startsWith("/dead")) throw new AppError("folder-not-answering", `${path} does not answer.`);
			return { realPath: path, isDirectory: true };
		},
	};
	const file = await readOutboundFile({ path: "report.txt", cwd: "/dead/project", root: "/dead/project", home: "/home", folders });
	expect(file).toEqual({ ok: false, reason: expect.stringContaining("does not answer.") });
});

let base: string;
beforeAll(() => {
	base = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-outbound-")));
	for (const folder of ["project/.ssh", "elsewhere", "home"]) mkdirSync(join(base, folder), { recursive: true });
	for (const file of ["project/report.txt", "project/server.pem", "project/.env", "project/.ssh/config", "elsewhere/diary.txt"])
		writeFileSync(join(base, file), "content");
	symlinkSync(join(base, "elsewhere/diary.txt"), join(base, "project/innocent.txt"));
	symlinkSync(join(base, "project/server.pem"), join(base, "project/notes.txt"));
});
afterAll(() => rmSync(base, { recursive: true }));

test.each([
	["report.txt", { ok: true, filename: "report.txt", isPhoto: false }],
	["../elsewhere/diary.txt", { ok: false, reason: expect.stringContaining("outside of the working directory") }],
	["innocent.txt", { ok: false, reason: expect.stringContaining("outside of the working directory") }],
	["server.pem", { ok: false, reason: expect.stringContaining("looks like a secret") }],
	["notes.txt", { ok: false, reason: expect.stringContaining("looks like a secret") }],
	[".env", { ok: false, reason: expect.stringContaining("looks like a secret") }],
	[".ssh/config", { ok: false, reason: expect.stringContaining("looks like a secret") }],
	["none.txt", { ok: false, reason: "There is no file none.txt." }],
])("[TG236] what may leave the working directory is decided by the real path: %s", async (path, expected) => {
	const folders = {
		look: async (wanted: string) =>
			realpath(wanted).then(
				(realPath) => ({ realPath, isDirectory: false }),
				() => undefined,
			),
	};
	const where = { cwd: join(base, "project"), root: join(base, "project"), home: join(base, "home"), folders };
	expect(await readOutboundFile({ path, ...where })).toMatchObject(expected);
});

test("[TG400] from a work tree in the home directory files are sent like from any other folder, and nothing of ours is", async () => {
	const root = join(base, "home/worktrees/app");
	mkdirSync(root, { recursive: true });
	writeFileSync(join(root, "report.txt"), "done");
	writeFileSync(join(base, "home/token"), "token");
	symlinkSync(join(base, "home/token"), join(root, "link.txt"));
	const look = async (wanted: string) => ({ realPath: await realpath(wanted), isDirectory: false });
	const where = { cwd: root, root, home: join(base, "home"), folders: { look } };
	expect(await readOutboundFile({ path: "report.txt", ...where })).toMatchObject({ ok: true, filename: "report.txt" });
	expect(await readOutboundFile({ path: "link.txt", ...where })).toMatchObject({ ok: false });
	const all = { ...where, root: base };
	expect(await readOutboundFile({ path: join(base, "home/token"), ...all })).toMatchObject({ ok: false });
});
