import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackageRegistry, startPackageRegistry } from "../../support/package-registry.ts";
import { startServer } from "../../support/server.ts";

const ROOT = join(import.meta.dirname, "../../..");
const MAX_BYTES = 5 * 1024 * 1024;
const run = promisify(execFile);
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const platform = `${process.platform}-${process.arch}`;
const platformPackages = [`@koromix/koffi-${platform}`, `@lydell/node-pty-${platform}`];

let folder: string;
let registry: PackageRegistry;
let tarball: string;
let installed: string;
let log: string;

/** The machine of somebody who has never seen us: an empty home, and no settings of npm but the registry. */
function newcomer(): NodeJS.ProcessEnv {
	const home = join(folder, "person");
	mkdirSync(home, { recursive: true });
	return { PATH: process.env.PATH, HOME: home, npm_config_registry: registry.url, npm_config_update_notifier: "false" };
}

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-package-"));
	const names = [...Object.keys(manifest.dependencies), ...platformPackages];
	registry = await startPackageRegistry(Object.fromEntries(names.map((name) => [name, join(ROOT, "node_modules", name)])));
	const packed = await run("npm", ["pack", "--json", "--pack-destination", folder, "--loglevel=error"], { cwd: ROOT });
	tarball = join(folder, JSON.parse(packed.stdout)[0].filename);
	const prefix = join(folder, "prefix");
	const done = await run("npm", ["install", "-g", "--prefix", prefix, tarball], { cwd: folder, env: newcomer() });
	log = done.stdout + done.stderr;
	installed = join(prefix, "lib/node_modules/rightseat");
}, 300_000);
afterAll(async () => {
	await registry?.close();
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Every package in a node_modules folder. */
function packagesIn(modules: string): string[] {
	const names = readdirSync(modules).filter((name) => !name.startsWith("."));
	return names.flatMap((name) => (name.startsWith("@") ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name])).sort();
}

const files = async () => (await run("tar", ["-tzf", tarball])).stdout.trim().split("\n").sort();

test("[PK1] npm pack makes one package of at most 5 MB with what runs, its licence, notices and bill of materials", async () => {
	expect(statSync(tarball).size).toBeLessThan(MAX_BYTES);
	expect(await files()).toEqual(
		expect.arrayContaining(
			[
				...["package.json", "LICENSE", "README.md", "CHANGELOG.md", "THIRD-PARTY-NOTICES.txt", "sbom.cdx.json", "scripts/rightseat.mjs"],
				...[
					"packages/server/dist/main.js",
					"packages/server/dist/cli.js",
					"packages/server/dist/shelld.js",
					"packages/web/dist/index.html",
				],
			].map((name) => `package/${name}`),
		),
	);
});

test("[PK2] the package has no tests, sources, maps or stamps", async () => {
	const allowed =
		/^package\/(?:[A-Z-]+\.(?:md|txt)|LICENSE|package\.json|sbom\.cdx\.json|scripts\/.*\.mjs|packages\/server\/package\.json|packages\/server\/dist\/.*\.(?:js|json)|packages\/web\/dist\/.*)$/;
	expect((await files()).filter((name) => !allowed.test(name) || /\.(?:map|tsx?)$|\.sources$|\.test\./.test(name))).toEqual([]);
});

test("[PK3] the package runs no script when it is installed, and every version that it brings is the lock file's", () => {
	const own = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
	expect(Object.keys(own.scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
	const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
	const brought = packagesIn(join(installed, "node_modules"));
	expect(brought).toEqual([...Object.keys(manifest.dependencies), ...platformPackages].sort());
	for (const name of brought) {
		const { version } = JSON.parse(readFileSync(join(installed, "node_modules", name, "package.json"), "utf8"));
		expect([name, version]).toEqual([name, lock.packages[`node_modules/${name}`].version]);
	}
	expect(registry.asked.filter((path) => path.endsWith("/newer.tgz"))).toEqual([]);
	expect(log).not.toMatch(/ERESOLVE|deprecated|EBADENGINE/);
});

test("[PK4] [PG780] installed into an empty prefix with an empty home it says its version, and the demo pilot answers without asking for first steps", async () => {
	const program = join(installed, "../../../bin/rightseat");
	expect((await run(program, ["--version"], { cwd: folder, env: newcomer() })).stdout).toBe(`${manifest.version}\n`);
	// The one of the checkout: fetching it is tried where the registry has it (runtime-fetch.server.test.ts).
	const COPILOT_CLI_PATH = join(ROOT, "node_modules/@github", `copilot-sdk-${platform}`, "prebuilds", platform, "copilot-runtime");
	const server = await startServer({
		program: join(installed, "scripts/rightseat.mjs"),
		args: ["--demo"],
		env: { ...newcomer(), COPILOT_CLI_PATH, GITHUB_TOKEN: "x" },
	});
	try {
		expect(server.output()).toMatch(/Agent +demo pilot/);
		expect((await (await server.api("/api/settings")).json()).settings.firstRun).toBe("done");
		expect(await (await fetch(server.url)).text()).toContain('<div id="root">');
		const created = await server.api("/api/conversations", { method: "POST", json: {} });
		const { conversation } = await created.json();
		const conversationId = conversation.id;
		const client = await server.ws();
		client.send({ type: "copilot:send", data: { conversationId, prompt: "Hello, what is this?" } });
		await client.waitFor("copilot:delta");
		// Our native parts are there too: the recorder and the shell.
		client.send({ type: "bash:exec", data: { conversationId, command: "echo $((6*7))" } });
		await client.waitFor("bash:done", (frame) => frame.data.exitCode === 0);
		await client.close();
	} finally {
		await server.close();
	}
	expect(existsSync(join(folder, "person/.rightseat"))).toBe(false);
});
