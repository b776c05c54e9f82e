import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFolderReader } from "../../../services/work-roots/read-folders.ts";
import { openTestStore } from "../../../store/store-harness.ts";
import { AppError } from "../../kernel/errors.ts";
import { randomIds } from "../../kernel/ids.ts";
import { silentLogger } from "../../kernel/logger.ts";
import type { LookAtFolders } from "./on-disk.ts";
import { createRememberedPermissions, MAX_OFFERED_RULES, MAX_PERMISSION_RULES, MAX_RULE_CHARS } from "./remembered-permissions.ts";

/** A repository with a folder in it and one beside it, on the real disk, looked at by what the folder process runs. */
function openShop() {
	const home = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-rules-")));
	onTestFinished(() => rmSync(home, { recursive: true, force: true }));
	const shop = join(home, "shop");
	for (const folder of ["shop/.git/hooks", "shop/src/deep", "shop/other/.git", "shop/bare", "beside"])
		mkdirSync(join(home, folder), { recursive: true });
	for (const file of ["shop/.git/HEAD", "shop/other/.git/HEAD", "shop/bare/HEAD"])
		writeFileSync(join(home, file), "ref: refs/heads/main\n");
	writeFileSync(join(home, "beside/secret"), "s");
	writeFileSync(join(shop, "notes"), "n");
	symlinkSync(join(home, "beside"), join(shop, "out"));
	symlinkSync(join(home, "beside/new"), join(shop, "nothing-yet"));
	symlinkSync(join(shop, ".git/hooks"), join(shop, "hooks"));
	symlinkSync(join(shop, "src/deep"), join(shop, "short"));
	const { store, clock } = openTestStore();
	const reader = createFolderReader(clock);
	const folders: LookAtFolders = {
		async look(path) {
			const answer = await reader.answer({ kind: "look", path });
			return answer.kind === "look" ? (answer.found ?? undefined) : undefined;
		},
		async git(path) {
			const answer = await reader.answer({ kind: "git", path });
			return answer.kind === "git" ? (answer.git ?? undefined) : undefined;
		},
		async entries(path, within) {
			const answer = await reader.answer({ kind: "entries", path, view: { within: [...within], hidden: [] } });
			if (answer.kind !== "entries") throw new AppError("forbidden", "Outside.");
			return answer;
		},
	};
	const redact = (text: string) => text.replaceAll("hunter2", "***");
	const deps = { rules: store.permissionRules, folders, clock, ids: randomIds, logger: silentLogger, redact };
	const permissions = createRememberedPermissions(deps);
	const allow = async (command: string, cwd = shop) => permissions.remember(await permissions.offer(command, cwd));
	return { home, shop, permissions, allow, deps, store };
}

test("[RP20] what was allowed in a folder holds in its repository, is listed, and can be taken back", async () => {
	const { home, shop, permissions, allow } = openShop();
	expect(await permissions.covers("git status", shop)).toBeUndefined();
	await allow("git status -s && rm -rf dist > log.txt", join(shop, "src"));
	expect(permissions.list()).toEqual([
		{ id: expect.any(String), folder: shop, words: ["git", "status"], exact: false, writes: false, createdAt: expect.any(Number) },
		{
			id: expect.any(String),
			folder: join(shop, "src"),
			words: ["rm", "-rf", "dist"],
			exact: true,
			writes: true,
			createdAt: expect.any(Number),
		},
	]);
	const covered = async (command: string, cwd: string) => [command, (await permissions.covers(command, cwd)) !== undefined];
	expect(await covered("git status", shop)).toEqual(["git status", true]);
	expect(await covered("git status --short", join(shop, "src/deep"))).toEqual(["git status --short", true]);
	expect(await covered("git status", join(shop, "other"))).toEqual(["git status", false]);
	expect(await covered("git status", join(home, "beside"))).toEqual(["git status", false]);
	expect(await covered("git status", join(shop, "gone"))).toEqual(["git status", false]);
	expect(await covered("rm -rf dist", join(shop, "src"))).toEqual(["rm -rf dist", true]);
	expect(await covered("rm -rf dist", shop)).toEqual(["rm -rf dist", false]);
	for (const { id } of permissions.list()) expect(permissions.revoke(id, "ann")).toBe(true);
	expect(permissions.revoke("none", "ann")).toBe(false);
	expect(await permissions.covers("git status", shop)).toBeUndefined();
});

test("[RP21] links that lead out of the folder, other repositories in it and what git would take for one are asked about", async () => {
	const { shop, permissions, allow } = openShop();
	await allow("cat notes > copy; git status");
	const answers = async (lines: string[]) => {
		const asked: string[] = [];
		for (const line of lines) if (!(await permissions.covers(line, shop))) asked.push(line);
		return asked;
	};
	const fine = [
		"cat notes",
		"cat new/file",
		"cat short/x",
		"cat notes > src/copy",
		"cat notes > notes",
		"cd src && git status",
		"cat < notes",
	];
	expect(await answers(fine)).toEqual([]);
	const hostile = [
		...["cat out/secret", "cat < out/secret", "cat notes > out/x", "cat notes > nothing-yet", "cat notes > hooks/pre-commit"],
		...["cat notes > missing/x", "cat notes > src", "cd out && git status", "cd short && git status", "cd other && git status"],
		...["cd bare && git status", "cd gone && git status"],
	];
	expect(await answers(hostile)).toEqual(hostile);
	expect(await permissions.covers("git status", join(shop, "bare"))).toBeUndefined();
});

test("[RP22] only what would cover the command is offered, and never words that hold a secret", async () => {
	const { shop, permissions } = openShop();
	const offered = async (command: string) =>
		(await permissions.offer(command, shop)).map(({ words, writes }) => [...words, ...(writes ? [">"] : [])].join(" "));
	expect(await offered("cd src && git status | head; git status > x")).toEqual(["git status >", "head"]);
	for (const command of [
		"echo $HOME",
		"PATH=. ls",
		"cat notes | sh",
		"ls /",
		"cat notes > /etc/x",
		"curl -H hunter2 x",
		`rm ${"x".repeat(MAX_RULE_CHARS)}`,
	])
		expect([command, await offered(command)]).toEqual([command, []]);
	expect(await permissions.offer("ls", "/")).toEqual([]);
});

test("[RP23] rules are bounded; the oldest is asked for again, and the same rule is kept once", async () => {
	const { shop, permissions, allow } = openShop();
	await allow("ls");
	await allow("ls > x");
	await allow("ls -la");
	expect(permissions.list()).toMatchObject([{ words: ["ls"], writes: true }]);
	const many = Array.from({ length: MAX_PERMISSION_RULES }, (_, n) => ({
		folder: shop,
		words: ["rm", `f${n}`],
		exact: true,
		writes: false,
	}));
	permissions.remember(many);
	expect(permissions.list().length).toBe(MAX_PERMISSION_RULES);
	expect(await permissions.covers("ls", shop)).toBeUndefined();
	expect(await permissions.covers("rm f0", shop)).toMatchObject({ cwd: shop, rules: [{ words: ["rm", "f0"] }] });
});

test("[RP24] a folder that does not answer means a question, never a failure", async () => {
	const { shop, allow, deps } = openShop();
	await allow("ls");
	const look = () => Promise.reject(new AppError("folder-not-answering", "The folder does not answer."));
	const stuck = createRememberedPermissions({ ...deps, folders: { ...deps.folders, look } });
	expect(await stuck.covers("ls", shop)).toBeUndefined();
	expect(await stuck.offer("ls", shop)).toEqual([]);
});

test("[RP46] more rules at once than a person reads are not offered", async () => {
	const { shop, permissions } = openShop();
	const parts = Array.from({ length: MAX_OFFERED_RULES }, (_, n) => `rm f${n}`);
	expect(await permissions.offer(parts.join("; "), shop)).toHaveLength(MAX_OFFERED_RULES);
	expect(await permissions.offer([...parts, "rm more"].join("; "), shop)).toEqual([]);
});

test("[RP20] a rule that is taken back while the disk is looked at covers nothing any more", async () => {
	const { shop, allow, deps, permissions } = openShop();
	await allow("git status");
	const [rule] = permissions.list();
	const slow: LookAtFolders = {
		...deps.folders,
		look(path) {
			// The last look: whether the folder is taken for a repository of its own.
			if (path.endsWith("/HEAD")) permissions.revoke(rule?.id ?? "", "ann");
			return deps.folders.look(path);
		},
	};
	expect(await createRememberedPermissions({ ...deps, folders: slow }).covers("git status", shop)).toBeUndefined();
	expect(permissions.list()).toEqual([]);
});
