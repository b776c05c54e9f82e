import { constants } from "node:fs";
import { access, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Program } from "../../core/ports/programs.ts";

/** More of a package.json is not read: nobody's is longer, and the file may be anything. */
const MAX_PACKAGE_BYTES = 262_144;
/** A program of a package lies at most so many directories below its package.json. */
const MAX_LEVELS = 4;

/** Those of these names that are programs in this directory, with the version of the package that they came with. Starts nothing. */
export async function readPrograms(directory: string, names: readonly string[]): Promise<Program[]> {
	const found = await Promise.all(names.map((name) => readProgram(directory, name)));
	return found.filter((program) => program !== undefined);
}

async function readProgram(directory: string, name: string): Promise<Program | undefined> {
	const path = join(directory, name);
	try {
		if (basename(name) !== name || !(await stat(path)).isFile()) return undefined;
		await access(path, constants.X_OK);
	} catch {
		// Not there, or nothing that this user may run: the same to whoever looks for a program.
		return undefined;
	}
	return { name, path, version: (await versionOf(path, name)) ?? null };
}

/** Of the package whose own program this is; a package.json further up belongs to somebody else. */
async function versionOf(path: string, name: string): Promise<string | undefined> {
	try {
		let folder = dirname(await realpath(path));
		for (let level = 0; level < MAX_LEVELS; level += 1) {
			const described = await readPackage(join(folder, "package.json"));
			if (described !== undefined) return described.programs.includes(name) ? described.version : undefined;
			folder = dirname(folder);
		}
		return undefined;
	} catch {
		// A version is good to know and nothing depends on it.
		return undefined;
	}
}

async function readPackage(file: string): Promise<{ version: string; programs: string[] } | undefined> {
	const handle = await open(file, "r").catch(() => undefined);
	if (handle === undefined) return undefined;
	try {
		const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_PACKAGE_BYTES), 0, MAX_PACKAGE_BYTES, 0);
		const value: unknown = JSON.parse(buffer.toString("utf8", 0, bytesRead));
		if (typeof value !== "object" || value === null || !("version" in value)) return undefined;
		const { version } = value;
		if (typeof version !== "string" || version.length > 40) return undefined;
		return { version, programs: programsOf(value) };
	} finally {
		await handle.close();
	}
}

/** `bin` is a list by name, or one path, and then the program has the name of the package. */
function programsOf(value: object): string[] {
	const bin = "bin" in value ? value.bin : undefined;
	if (typeof bin === "object" && bin !== null) return Object.keys(bin);
	const name = "name" in value ? value.name : undefined;
	return typeof name === "string" ? [name.replace(/^@[^/]+\//, "")] : [];
}
