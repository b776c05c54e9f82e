import { spawn } from "node:child_process";
import {
	appendFileSync,
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readlinkSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isSupportedNode } from "../../scripts/lib/node-version.mjs";
import { ROOT } from "./support/source-files.ts";

/** A small checkout with our scripts, and a stand-in for npm and the build tools. */
let checkout: string;
beforeEach(() => {
	checkout = mkdtempSync(join(tmpdir(), "rightseat-checkout-"));
	cpSync(join(ROOT, "scripts"), join(checkout, "scripts"), { recursive: true });
	for (const name of ["server", "web", "protocol"]) mkdirSync(join(checkout, "packages", name, "src"), { recursive: true });
	writeFileSync(join(checkout, "package-lock.json"), JSON.stringify({ packages: { "node_modules/x": { version: "1.0.0" } } }));
	writeFileSync(join(checkout, "package.json"), JSON.stringify({ workspaces: ["packages/server"] }));
	writeFileSync(join(checkout, "packages/server/package.json"), JSON.stringify({ name: "@rightseat/server", type: "module" }));
	writeFileSync(join(checkout, "packages/server/src/a.ts"), "1");
	copyFileSync(join(import.meta.dirname, "support/fake-npm.cjs"), join(checkout, "npm-cli.js"));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function start(args: string[] = [], env: NodeJS.ProcessEnv = {}, nodeArgs: string[] = []) {
	return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
		const child = spawn(process.execPath, [...nodeArgs, join(checkout, "scripts/start.mjs"), ...args], {
			env: { PATH: process.env.PATH, npm_execpath: join(checkout, "npm-cli.js"), FAKE_CHECKOUT: checkout, ...env },
		});
		let stdout = "";
		let stderr = "";
		child.stdout.on("data", (chunk) => {
			stdout += chunk;
		});
		child.stderr.on("data", (chunk) => {
			stderr += chunk;
		});
		child.on("error", reject);
		child.on("close", (code) => resolve({ code, stdout, stderr }));
	});
}
const npmCalls = () => readFileSync(join(checkout, "npm-calls.txt"), "utf8").trim().split("\n");

test("[CF22] a fresh checkout is installed and built with visible progress, and flags and exit code are the server's", async () => {
	const { code, stdout, stderr } = await start(["--port", "1"]);
	expect({ code, stdout }).toEqual({ code: 7, stdout: "server --port 1\n" });
	expect(stderr).toMatch(/Installing dependencies[\s\S]*done in [\d.]+ s[\s\S]*Building the server and the page/);
	expect(npmCalls()).toEqual(["ci"]);
});

test("[CF234] the page's text files are compressed beforehand", async () => {
	await start();
	const folder = join(checkout, "packages/web/dist");
	const plain = readFileSync(join(folder, "app.js"));
	expect(brotliDecompressSync(readFileSync(join(folder, "app.js.br"))).equals(plain)).toBe(true);
	expect(gunzipSync(readFileSync(join(folder, "app.js.gz"))).equals(plain)).toBe(true);
});

test("[CF22] a second start does nothing; a changed source builds again, a changed lock file installs again", async () => {
	await start();
	expect((await start()).stderr).toBe("");
	appendFileSync(join(checkout, "packages/server/src/a.ts"), "2");
	const built = await start();
	expect(built.stderr).toContain("Building the server");
	expect(built.stderr).not.toContain("Building the page");
	appendFileSync(join(checkout, "package-lock.json"), " ");
	expect((await start()).stderr).toContain("Installing dependencies");
	expect(npmCalls()).toEqual(["ci", "ci"]);
});

test("[CF235] a tree that a person installed with npm is left alone", async () => {
	await start();
	rmSync(join(checkout, "node_modules/.rightseat.json"));
	copyFileSync(join(checkout, "package-lock.json"), join(checkout, "node_modules/.package-lock.json"));
	expect((await start()).stderr).toBe("");
	expect(npmCalls()).toEqual(["ci"]);
});

test("[SH130] an installed checkout that is pulled forward to a version with a new workspace gets its link without a new install", async () => {
	await start();
	mkdirSync(join(checkout, "packages/shell/src"), { recursive: true });
	writeFileSync(join(checkout, "packages/shell/package.json"), JSON.stringify({ name: "@rightseat/shell" }));
	writeFileSync(join(checkout, "package.json"), JSON.stringify({ workspaces: ["packages/server", "packages/shell"] }));
	await start();
	expect(readlinkSync(join(checkout, "node_modules/@rightseat/shell"))).toBe("../../packages/shell");
	expect(npmCalls()).toEqual(["ci"]);
});

test("[CF236] without a network one sentence says so, and exit is 1", async () => {
	const { code, stdout, stderr } = await start([], { FAKE_NPM: "offline" });
	expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	expect(stderr.trim().split("\n").at(-1)).toMatch(/^Could not reach the npm registry\. Check the network/);
});

test("[CF233] where npm ci refuses the lock file for packages of other platforms, npm install is tried", async () => {
	expect((await start([], { FAKE_NPM: "lacking" })).code).toBe(7);
	expect(npmCalls()).toEqual(["ci", "install"]);
});

test("[CF23] of two starts at once one installs and builds, the other waits for it", async () => {
	const both = await Promise.all([start(), start()]);
	expect(both.map(({ code }) => code)).toEqual([7, 7]);
	expect(npmCalls()).toEqual(["ci"]);
	expect(both.map(({ stderr }) => stderr).join("")).toContain("waiting for it");
});

test("[CF237] a lock that a killed start left behind is taken over", async () => {
	mkdirSync(join(checkout, ".cache"));
	writeFileSync(join(checkout, ".cache/install.lock"), "4194303");
	expect((await start()).code).toBe(7);
});

test("[CF24] an unsupported Node is told in one line, before anything else", async () => {
	expect(["18.20.8", "20.18.3", "21.7.0", "22.11.0"].filter(isSupportedNode)).toEqual([]);
	expect(["20.19.0", "22.12.0", "23.0.0", "24.1.0"].filter((version) => !isSupportedNode(version))).toEqual([]);
	const old = "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.8'}})";
	const { code, stderr } = await start([], {}, ["--import", old]);
	expect({ code, stderr }).toEqual({
		code: 1,
		stderr: "Rightseat needs Node 20.19 or newer, 22.12 or newer, or any later one. This is Node 18.20.8.\n",
	});
	expect(existsSync(join(checkout, "npm-calls.txt"))).toBe(false);
});

test("[CF25] a runtime package that the install did not bring is fetched by its name and version", async () => {
	const name = `@github/copilot-sdk-${process.platform}-${process.arch}`;
	expect((await start([], { FAKE_NPM: "without-runtime" })).code).toBe(7);
	expect(npmCalls()).toEqual(["ci", `install ${name}@9.9.9`]);
	expect(existsSync(join(checkout, "node_modules", name, "package.json"))).toBe(true);
});
