import { execFile } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CLIENT_COMMANDS } from "../../../packages/cli/src/client-commands.ts";
import { integrityOf, type PackageRegistry, packFolder, startPackageRegistry } from "../../support/package-registry.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PLATFORM = `${process.platform}-${process.arch}`;
const NAME = `@github/copilot-sdk-${PLATFORM}`;
const VERSION = "9.9.9";

/** An installed package that knows the checksum of the runtime, and a registry that has it; the program prints which runtime it was given. */
let folder: string;
let installed: string;
let registry: PackageRegistry;
beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-runtime-"));
	installed = join(folder, "rightseat");
	cpSync(join(ROOT, "scripts"), join(installed, "scripts"), { recursive: true });
	const runtime = join(folder, "runtime");
	mkdirSync(join(runtime, "prebuilds", PLATFORM), { recursive: true });
	mkdirSync(join(installed, "packages/server/dist"), { recursive: true });
	writeFileSync(join(runtime, "package.json"), JSON.stringify({ name: NAME, version: VERSION }));
	writeFileSync(join(runtime, "prebuilds", PLATFORM, "copilot-runtime"), "the runtime");
	writeFileSync(join(installed, "packages/server/package.json"), JSON.stringify({ type: "module" }));
	writeFileSync(join(installed, "packages/server/dist/main.js"), "console.log(process.env.COPILOT_CLI_PATH);");
	writeFileSync(join(installed, "packages/server/dist/check-start.js"), "export const checkStart = () => undefined;");
	registry = await startPackageRegistry({ [NAME]: runtime });
	pin(integrityOf(await packFolder(runtime)));
	registry.send(NAME, await packFolder(runtime));
});
afterEach(async () => {
	await registry.close();
	chmodSync(installed, 0o755);
	rmSync(folder, { recursive: true, force: true });
});

function pin(integrity: string | undefined) {
	const packages = {
		"node_modules/@github/copilot-sdk": { version: VERSION, optionalDependencies: { [NAME]: VERSION } },
		[`node_modules/${NAME}`]: { version: VERSION, integrity },
	};
	writeFileSync(join(installed, "packages/server/dist/runtime-lock.json"), JSON.stringify({ packages }));
}

function rightseat(args: string[], env: NodeJS.ProcessEnv = {}) {
	const all = { PATH: process.env.PATH, HOME: join(folder, "home"), npm_config_registry: registry.url, ...env };
	return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
		execFile(
			process.execPath,
			[join(installed, "scripts/rightseat.mjs"), ...args],
			{ env: all, timeout: 60_000 },
			(error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
		);
	});
}
const fetched = () => join(installed, ".runtime", `${PLATFORM}-${VERSION}`, "prebuilds", PLATFORM, "copilot-runtime");

test("[PK5] the first start of an installed package fetches the runtime of the shipped version and checksum; later starts fetch nothing", async () => {
	expect(await rightseat(["--port", "0"])).toMatchObject({ code: 0, stdout: `${fetched()}\n` });
	const asked = registry.asked.length;
	expect(asked).toBeGreaterThan(0);
	expect(await rightseat([])).toEqual({ code: 0, stdout: `${fetched()}\n`, stderr: "" });
	expect(registry.asked.length).toBe(asked);
});

test("[PK5] a runtime whose checksum is another is refused in one line, and nothing of it stays", async () => {
	const other = join(folder, "other");
	mkdirSync(other);
	writeFileSync(join(other, "package.json"), JSON.stringify({ name: NAME, version: VERSION }));
	registry.send(NAME, await packFolder(other));
	const { code, stdout, stderr } = await rightseat([]);
	expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	expect(stderr.trim().split("\n").at(-1)).toMatch(
		/^The Copilot runtime that the registry sent is not the one that belongs to this version: the checksum of \S+@9\.9\.9 differs\. Nothing was installed\./,
	);
	expect(readdirSync(join(installed, ".runtime"))).toEqual([]);
});

test("[PK5] a platform of which no checksum is shipped is fetched by its exact version, and the start says that there was nothing to compare with", async () => {
	pin(undefined);
	expect((await rightseat(["prepare"])).stderr).toContain(`WARNING: there is no checksum of ${NAME}`);
});

test("[PK7] where the package may not be written, the runtime lies among the person's cached files", async () => {
	// A file where the folder would be stands for a folder that may not be written: the superuser may write everywhere.
	writeFileSync(join(installed, ".runtime"), "");
	const { code, stdout } = await rightseat([]);
	expect([code, stdout]).toEqual([
		0,
		`${join(folder, "home/.cache/rightseat/runtime", `${PLATFORM}-${VERSION}`, "prebuilds", PLATFORM, "copilot-runtime")}\n`,
	]);
});

test("[PK8] commands that start no server fetch nothing, and a runtime of one's own is left alone", async () => {
	for (const args of [["--version"], ["--help"], ["ls"], ["start", "--help"], ["doctor"], ["prepare", "--help"]]) {
		expect([args, await rightseat(args)]).toEqual([args, { code: 0, stdout: "undefined\n", stderr: "" }]);
	}
	expect((await rightseat([], { COPILOT_CLI_PATH: "/own" })).stdout).toBe("/own\n");
	expect([registry.asked, existsSync(join(installed, ".runtime"))]).toEqual([[], false]);
});

test("[PK53] what is wrong with the arguments is said before the runtime is fetched: one line, exit 2, nothing is made", async () => {
	const urlOf = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, path)).href);
	const check =
		process.env.RIGHTSEAT_TEST_BUILT === "1"
			? `export * from ${urlOf("packages/server/dist/check-start.js")};`
			: `await import(${urlOf("node_modules/tsx/dist/loader.mjs")});
export const { checkStart } = await import(${urlOf("packages/server/src/app/cli/check-start.ts")});`;
	writeFileSync(join(installed, "packages/server/dist/check-start.js"), check);
	for (const [args, line] of [
		[["--prot", "1"], /^Unknown flag "--prot"\. --help lists what there is\.\n$/],
		[["start", "--port", "many"], /^--port .+\n$/],
		[["service", "install", "--prot", "1"], /^rightseat service: Unknown flag "--prot"\. .+\n$/],
	] as const) {
		expect([args, await rightseat([...args])]).toEqual([args, { code: 2, stdout: "", stderr: expect.stringMatching(line) }]);
	}
	expect([registry.asked, existsSync(join(installed, ".runtime")), existsSync(join(folder, "home"))]).toEqual([[], false, false]);
});

test("[PK54] every command against a running server is started without the server's own program", async () => {
	writeFileSync(join(installed, "packages/server/dist/cli.js"), 'console.log("cli", ...process.argv.slice(2));');
	const ran = await Promise.all(CLIENT_COMMANDS.map(({ name }) => rightseat([name, "--help"])));
	expect(ran.map(({ stdout }) => stdout)).toEqual(CLIENT_COMMANDS.map(({ name }) => `cli ${name} --help\n`));
});
