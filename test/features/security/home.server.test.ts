import { execFileSync } from "node:child_process";
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OWN_ENTRIES } from "../../../packages/server/src/app/home/own-files.ts";
import { toolCall } from "../../support/scripted-model-steps.ts";
import { type ChangesBed, startChangesBed } from "../changes/changes-harness.ts";

const SECRET = "sk-not-a-real-provider-key-0123456789";
let bed: ChangesBed;
let folder: string;
let project: string;
let home: string;
let id: string;

/** The home directory lies in the very repository that people work in: nothing is nearer to what they look at. */
beforeAll(async () => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-home-in-work-")));
	project = join(folder, "project");
	home = join(project, ".rightseat");
	mkdirSync(project);
	writeFileSync(join(project, "run.sh"), "#!/bin/sh\n");
	chmodSync(join(project, "run.sh"), 0o755);
	writeFileSync(join(project, ".gitignore"), ".rightseat\nenvironment.txt\n");
	const git = (...args: string[]) => execFileSync("git", ["-C", project, ...args]);
	git("init", "-q", "-b", "main");
	git("config", "user.name", "Ann");
	git("config", "user.email", "ann@example.org");
	git("add", "-A");
	git("commit", "-qm", "first");
	bed = await startChangesBed({ home, workdir: project, env: { RIGHTSEAT_PROVIDER_KEY: SECRET } });
	id = await bed.begin();
});
afterAll(async () => {
	await bed.close();
	rmSync(folder, { recursive: true, force: true });
});

const get = (conversation: string, route: "tree" | "file", path: string) =>
	bed.server.api(`/api/conversations/${conversation}/${route}?path=${encodeURIComponent(path)}`);

test("[HT400] the panel of files shows none of our own files, by name or by link, and the work trees that lie beside them", async () => {
	symlinkSync(".rightseat/token", join(project, "link"));
	symlinkSync(".rightseat/logs", join(project, "log-link"));
	const mcpServers = { tracker: { command: "tracker", env: { KEY: "a-value-of-a-server" } } };
	expect((await bed.server.api("/api/mcp", { method: "PUT", json: { mcpServers } })).status).toBe(200);
	const files = ["token", "rightseat.db", "mcp-servers.json", "logs/rightseat.log"].map((name) => `.rightseat/${name}`);
	for (const path of [...files, join(home, "token"), "link"]) {
		const response = await get(id, "file", path);
		expect([path, response.status]).toEqual([path, 403]);
		expect(await response.text()).not.toContain(bed.server.token);
	}
	for (const path of [".rightseat/logs", "log-link"]) expect([path, (await get(id, "tree", path)).status]).toEqual([path, 403]);
	const names = async (path: string) =>
		Object(await (await get(id, "tree", path)).json()).entries.map(({ name }: { name: string }) => name);
	expect(await names(".")).toContain(".rightseat");
	const made = await bed.server.api("/api/conversations", { method: "POST", json: { worktree: true } });
	const { conversation } = Object(await made.json());
	expect(conversation.cwd.startsWith(join(home, "worktrees"))).toBe(true);
	expect(await names(".rightseat")).toEqual(["worktrees"]);
	expect(await (await get(conversation.id, "file", "run.sh")).text()).toBe("#!/bin/sh\n");
	for (const link of ["link", "log-link"]) rmSync(join(project, link));
	await bed.server.api("/api/mcp", { method: "PUT", json: { mcpServers: {} } });
});

test("[CG480] nothing of ours is recorded, whatever a command or an edit tool does to it; what is beside it is", async () => {
	const { messageId } = await bed.turn(id, [
		toolCall("Bash", { command: "echo 1 > a.txt; echo '{}' > .rightseat/config.json; chmod 600 .rightseat/config.json" }),
		toolCall("create", { path: join(home, "push-keys.json"), file_text: "{}" }),
	]);
	const [change] = await bed.list(id);
	const detail = await bed.get(id, change?.id ?? "");
	expect([change?.messageId, detail.files.map(({ path }) => path)]).toEqual([messageId, ["a.txt"]]);
	const inside = await bed.begin({ cwd: join(home, "logs") });
	await bed.exec(inside, "touch new");
	const [refused] = await bed.list(inside);
	const missed = await bed.get(inside, refused?.id ?? "");
	expect([missed.files, missed.notCovered.map(({ reason }) => reason)]).toEqual([[], ["root-refused"]]);
	for (const file of ["config.json", "push-keys.json", "logs/new"]) rmSync(join(home, file), { force: true });
});

test("[SE401] no process that the server started has a secret of ours in its environment or arguments, hooks of git included", async () => {
	await bed.turn(id, [toolCall("Bash", { command: "true" })]);
	const hook = "#!/bin/sh\n{ env; tr '\\0' '\\n' < /proc/$PPID/environ; } > environment.txt\n";
	writeFileSync(join(project, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
	writeFileSync(join(project, "b.txt"), "b");
	const json = { message: "b", paths: ["b.txt"] };
	expect((await bed.server.api(`/api/conversations/${id}/commit`, { method: "POST", json })).status).toBe(200);
	const hooked = readFileSync(join(project, "environment.txt"), "utf8");
	expect(hooked).toContain("PATH=");
	const secrets = [SECRET, bed.server.token];
	const isTelling = (text: string) => secrets.some((secret) => text.includes(secret));
	expect(isTelling(hooked)).toBe(false);
	const running = () => descendants(bed.server.pid).map((pid) => ["cmdline", "environ"].map((file) => readIfThere(`/proc/${pid}/${file}`)));
	expect(running().length).toBeGreaterThanOrEqual(3);
	// One that is just being started is a copy of the server until it becomes another program.
	// The sources are translated by a program that is older than our reading of the environment; the built server has none.
	const telling = () =>
		running().flatMap(([name = "", env = ""]) => (isTelling(name + env) && !name.includes("esbuild") ? [name.replaceAll("\0", " ")] : []));
	await expect.poll(telling).toEqual([]);
});

test("[CF401] after a turn, a command, a commit and a work tree the home directory holds only what is known as ours, and all of it is private", async () => {
	const open = () => listFiles(home).filter((path) => (statSync(path).mode & 0o077) !== 0 && !path.startsWith(join(home, "worktrees/")));
	await expect.poll(open, { timeout: 30_000 }).toEqual([]);
	expect(readdirSync(home).filter((name) => name !== "worktrees" && !OWN_ENTRIES.includes(name))).toEqual([]);
});

function listFiles(at: string): string[] {
	return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
		const path = join(at, entry.name);
		if (entry.isDirectory()) return [path, ...listFiles(path)];
		return entry.isFile() ? [path] : [];
	});
}

function descendants(of: number): number[] {
	const children = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((pid) => {
			const stat = readIfThere(`/proc/${pid}/stat`);
			return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === of;
		});
	return children.flatMap((pid) => [pid, ...descendants(pid)]);
}

function readIfThere(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		// It has ended meanwhile.
		return "";
	}
}
