import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CACHE } from "./places.mjs";
import { withProgress } from "./progress.mjs";
import { run } from "./run.mjs";

/** Where Debian's package has the program. */
const PROGRAMS = { nginx: "usr/sbin/nginx", caddy: "usr/bin/caddy" };
const FOLDER = join(CACHE, "proxies");
const LIMIT_MS = 120_000;

/**
 * Brings the proxies that the documentation configures: installed ones, else taken out of the distribution's packages without installing them,
 * so that no service of the machine is started or changed. What cannot be had is said, and its tests count as skipped.
 */
export async function ensureProxies() {
	for (const [name, inPackage] of Object.entries(PROGRAMS)) {
		if (findProxy(name) !== undefined || (await unpack(name, inPackage))) continue;
		console.log(`SKIP ${name} is not installed and cannot be fetched: what is said about it in docs/proxies.md is not tried.`);
	}
}

/** A proxy on this machine, such as the one NGINX_PATH names. @param {string} name @returns {string | undefined} */
export function findProxy(name) {
	const named = process.env[`${name.toUpperCase()}_PATH`];
	if (named !== undefined && named !== "") return named;
	const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", join(FOLDER, "usr/sbin"), join(FOLDER, "usr/bin")];
	return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** @param {string} name @param {string} inPackage @returns {Promise<boolean>} */
async function unpack(name, inPackage) {
	if (!existsSync("/etc/debian_version")) return false;
	mkdirSync(FOLDER, { recursive: true });
	const options = { cwd: FOLDER, timeoutMs: LIMIT_MS };
	try {
		await withProgress(`Fetching ${name} for the proxy tests (Debian package)`, async () => {
			const fetched = await run("apt-get", ["download", "-qq", name], options);
			if (fetched.code !== 0 && process.getuid?.() === 0) {
				await run("apt-get", ["update", "-qq"], options);
				await run("apt-get", ["download", "-qq", name], options);
			}
			for (const file of readdirSync(FOLDER)) if (file.startsWith(`${name}_`)) await run("dpkg", ["-x", file, "."], options);
		});
	} catch (error) {
		console.log(`     ${error instanceof Error ? error.message : String(error)}`);
	}
	return existsSync(join(FOLDER, inPackage));
}
