import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startShell } from "./start-shell.ts";

const ROOT = join(import.meta.dirname, "../..");

test("[SH134] the example of the README does what it says", async () => {
	const readme = readFileSync(join(ROOT, "README.md"), "utf8");
	const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
	const body = example.replace(/^import .*\n/gm, "");
	const printed: unknown[] = [];
	const names = ["mkdtempSync", "tmpdir", "join", "startShell", "console"];
	const homes: string[] = [];
	const make = (prefix: string) => {
		homes.push(mkdtempSync(prefix));
		return homes.at(-1);
	};
	// A login shell of this machine may do anything.
	const start = (options: { home: string }) => startShell({ ...options, env: { ...process.env, SHELL: "/bin/true" } });
	const run = new Function(...names, `return (async () => {${body}})();`);
	await run(make, tmpdir, join, start, { log: (value: unknown) => printed.push(value) });
	expect(printed).toEqual([
		expect.objectContaining({ cause: "exited", exitCode: 1, output: "hello world\n" }),
		expect.objectContaining({ cause: "killed", output: "up\n", killed: expect.objectContaining({ processes: 3 }) }),
	]);
	for (const home of homes) rmSync(home, { recursive: true, force: true });
});

test("[SH134] when the shell process dies its commands end as lost, and later ones do not start", async () => {
	const home = mkdtempSync(join(tmpdir(), "rightseat-start-shell-"));
	const shell = await startShell({ home, env: { ...process.env, SHELL: "/bin/true" } });
	const parent = await shell.run("echo $PPID", { cwd: "/" }).done;
	const waiting = shell.run("sleep 1000", { cwd: "/" });
	process.kill(Number("output" in parent ? parent.output : "0"), "SIGKILL");
	expect(await waiting.done).toEqual({ cause: "lost", reason: "the shell process has ended" });
	expect(await shell.run("echo", { cwd: "/" }).done).toMatchObject({ cause: "lost" });
	await shell.close();
	rmSync(home, { recursive: true, force: true });
});
