import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A package whose only file is the program that `rightseat` would be, as npm installs one; gives its path. */
export function packProgram(
	folder: string,
	{ name = "rightseat", version, program }: { name?: string; version: string; program: string },
): string {
	const content = join(folder, "package");
	mkdirSync(join(content, "scripts"), { recursive: true });
	writeFileSync(join(content, "package.json"), JSON.stringify({ name, version, type: "module" }));
	writeFileSync(join(content, "scripts", "rightseat.mjs"), program);
	const file = join(folder, `${name}-${version}.tgz`);
	execFileSync("tar", ["-czf", file, "-C", folder, "package"]);
	return file;
}
