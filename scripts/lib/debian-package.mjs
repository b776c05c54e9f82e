import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CACHE } from "./places.mjs";
import { withProgress } from "./progress.mjs";
import { run } from "./run.mjs";

const LIMIT_MS = 120_000;

/**
 * A program of the machine, or one that was unpacked into this folder of the cache. `variable` names a variable that points to one.
 * @param {string} name @param {{ variable: string, folder: string }} where @returns {string | undefined}
 */
export function findProgram(name, { variable, folder }) {
	const named = process.env[variable];
	if (named !== undefined && named !== "") return named;
	const unpacked = ["usr/sbin", "usr/bin"].map((part) => join(CACHE, folder, part));
	const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", ...unpacked];
	return folders.map((each) => join(each, name)).find((path) => existsSync(path));
}

/**
 * Takes a program out of the distribution's package without installing it, so that no service of the machine is started or changed; needs no root.
 * False when that is not possible here.
 * @param {string} name @param {{ folder: string, purpose: string }} into @returns {Promise<boolean>}
 */
export async function unpackProgram(name, { folder, purpose }) {
	if (!existsSync("/etc/debian_version")) return false;
	const cwd = join(CACHE, folder);
	mkdirSync(cwd, { recursive: true });
	const options = { cwd, timeoutMs: LIMIT_MS };
	try {
		await withProgress(`Fetching ${name} for the ${purpose} (Debian package)`, async () => {
			const fetched = await run("apt-get", ["download", "-qq", name], options);
			if (fetched.code !== 0 && process.getuid?.() === 0) {
				await run("apt-get", ["update", "-qq"], options);
				await run("apt-get", ["download", "-qq", name], options);
			}
			for (const file of readdirSync(cwd)) if (file.startsWith(`${name}_`)) await run("dpkg", ["-x", file, "."], options);
		});
	} catch (error) {
		console.log(`     ${error instanceof Error ? error.message : String(error)}`);
	}
	return ["usr/sbin", "usr/bin"].some((part) => existsSync(join(cwd, part, name)));
}
