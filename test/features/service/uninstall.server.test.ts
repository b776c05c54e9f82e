import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startServer } from "../../support/server.ts";
import { createStandInAccount, type StandInAccount } from "../../support/stand-in-systemd/stand-in-systemd.ts";
import { startTailscale } from "../../support/stand-in-tailscale/stand-in-tailscale.ts";

// Each waits for a server that starts.
vi.setConfig({ testTimeout: 180_000 });

let account: StandInAccount;
beforeEach(() => {
	account = createStandInAccount();
});
afterEach(() => account.close());

/** A home as a server leaves it behind. */
function makeHome(): void {
	mkdirSync(join(account.home, "backups"), { recursive: true, mode: 0o700 });
	for (const name of ["token", "rightseat.db", "rightseat.db.damaged-1", "backups/rightseat-x.db"])
		writeFileSync(join(account.home, name), "x".repeat(20_000));
}

const git = (...args: string[]) =>
	execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
		cwd: account.cwd,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "ignore"],
	});

test("[SV40] uninstall shows everything with its size, and changes nothing with --dry-run or when there is nobody to ask", async () => {
	makeHome();
	const shown = await account.rightseat(["uninstall", "--dry-run"]);
	expect(shown.exit).toBe(0);
	expect(shown.stdout).toMatch(
		/^Removes:\n(?: +\d[\d.]* KB {2}\S+ {2}\(what Rightseat keeps\)\n){4}Nothing was changed \(--dry-run\)\.\n$/,
	);
	const unasked = await account.rightseat(["uninstall"], { LANG: "zh_TW.UTF-8" });
	expect([unasked.exit, unasked.stderr]).toEqual([2, "rightseat uninstall: 沒有人可以詢問：請加上 --yes，或先用 --dry-run 查看。\n"]);
	expect(await account.rightseat(["uninstall", "--all"])).toMatchObject({
		exit: 2,
		stderr: "rightseat uninstall: unknown flag --all. Try --help.\n",
	});
	expect(readdirSync(account.home)).toEqual(["backups", "rightseat.db", "rightseat.db.damaged-1", "token"]);
});

test("[SV41] service, home and what was fetched are removed; the working folder stays", async () => {
	writeFileSync(join(account.cwd, "mine.txt"), "");
	expect(await account.rightseat(["service", "install"])).toMatchObject({ exit: 0 });
	const { pid } = account.state();
	mkdirSync(join(account.userHome, ".cache", "rightseat", "runtime"), { recursive: true });
	const { exit, stdout } = await account.rightseat(["uninstall", "--yes"]);
	expect([exit, stdout]).toEqual([0, expect.stringMatching(/\nDone\. The program itself is removed by .+\n$/)]);
	expect(existsSync(`/proc/${pid}`)).toBe(false);
	expect([account.unitFile, account.home, join(account.userHome, ".cache", "rightseat")].map((path) => existsSync(path))).toEqual([
		...[false, false, false],
	]);
	expect(existsSync(join(account.cwd, "mine.txt"))).toBe(true);
	expect((await account.rightseat(["uninstall"])).stdout).toMatch(/^There is nothing of Rightseat for /);
});

test("[SV42] work trees with anything that is nowhere else stay, and are named with the reason; so does what is not ours", async () => {
	makeHome();
	git("init", "-q", "-b", "main");
	writeFileSync(join(account.cwd, "a.txt"), "a");
	git("add", ".");
	git("commit", "-qm", "one");
	const [clean, changed] = ["clean", "changed"].map((name) => join(account.home, "worktrees", name));
	git("worktree", "add", "-q", "-b", "clean", clean ?? "");
	git("worktree", "add", "-q", "-b", "changed", changed ?? "");
	writeFileSync(join(changed ?? "", "b.txt"), "the only copy");
	mkdirSync(join(account.home, "worktrees", ".trash", "1-old"), { recursive: true });
	writeFileSync(join(account.home, "notes.txt"), "of the person");
	const { exit, stdout } = await account.rightseat(["uninstall", "--yes"]);
	expect(exit).toBe(0);
	expect(stdout).toContain(`${changed}  (work tree: changes that are not committed)\n`);
	expect(readdirSync(account.home).sort()).toEqual(["notes.txt", "worktrees"]);
	expect(readdirSync(join(account.home, "worktrees")).sort()).toEqual([".trash", "changed"]);
	expect(readFileSync(join(changed ?? "", "b.txt"), "utf8")).toBe("the only copy");
	expect(git("worktree", "list", "--porcelain")).not.toContain("/clean\n");
	expect(git("branch", "--list", "clean")).toContain("clean");
	expect(git("-C", changed ?? "", "status", "--porcelain")).toBe("?? b.txt\n");
});

test("[SV43] a home in which a server runs that is not the service is left alone, in one line, exit 1", async () => {
	const server = await startServer();
	const { exit, stderr } = await account.rightseat(["uninstall", "--yes", "--home", server.home]);
	expect([exit, stderr]).toEqual([
		1,
		expect.stringMatching(/^rightseat uninstall: a Rightseat runs with \S+ \(process \d+\)\. Stop it first; nothing was changed\.\n$/),
	]);
	expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
	await server.close();
});

test("[SV44] --keep-data removes the service and what was fetched, and keeps the home", async () => {
	expect(await account.rightseat(["service", "install"])).toMatchObject({ exit: 0 });
	const { exit, stdout } = await account.rightseat(["uninstall", "--yes", "--keep-data"]);
	expect([exit, stdout]).toEqual([0, expect.stringMatching(/^Keeps:\n.*what Rightseat keeps \(--keep-data\)/m)]);
	expect(existsSync(account.unitFile)).toBe(false);
	expect(readdirSync(account.home)).toEqual(expect.arrayContaining(["rightseat.db", "token"]));
});

test("[RC31] uninstall shows and switches off what Tailscale Serve would go on with", async () => {
	makeHome();
	const tailscale = await startTailscale();
	try {
		const target = "http://127.0.0.1:7417";
		execFileSync("tailscale", ["serve", "--bg", "--yes", `--https=${tailscale.port}`, target], { env: tailscale.env });
		const paired = { way: "tailscale", url: tailscale.url, port: tailscale.port, target };
		writeFileSync(join(account.home, "reach.json"), JSON.stringify(paired));
		const { exit, stdout } = await account.rightseat(["uninstall", "--yes"], { PATH: tailscale.env.PATH });
		expect([exit, tailscale.serve(), existsSync(account.home)]).toEqual([0, {}, false]);
		expect(stdout).toContain(`–  ${tailscale.url}  (Tailscale Serve leads here, switched off)`);
	} finally {
		await tailscale.close();
	}
});
