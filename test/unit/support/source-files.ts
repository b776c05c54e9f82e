import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..", "..");

export interface SourceFile {
	/** From the checkout, with slashes. */
	path: string;
	text: string;
	/** A test, or a harness that only tests use. */
	isTest: boolean;
}

/** Every file below these folders whose name ends in one of the extensions. */
export function readSources(folders: readonly string[], extensions = /\.(?:ts|tsx)$/): SourceFile[] {
	return folders
		.flatMap((folder) => listFiles(join(ROOT, folder)))
		.filter((file) => extensions.test(file))
		.map((file) => {
			const path = relative(ROOT, file).replaceAll("\\", "/");
			return { path, text: readFileSync(file, "utf8"), isTest: /(?:\.test|-harness)\.tsx?$|\/testing\//.test(path) };
		});
}

function listFiles(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		if (["node_modules", "dist", ".cache"].includes(entry.name)) return [];
		return entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)];
	});
}

export interface Import {
	from: string;
	typeOnly: boolean;
}

/** What a file imports, statically or not. */
export function importsOf(text: string): Import[] {
	const code = withoutComments(text);
	const statements = code.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[\w*{][^"';]*?\s+from\s+)?["']([^"']+)["']/gm);
	const calls = code.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g);
	return [
		...[...statements].map(([, type, from = ""]) => ({ from, typeOnly: type !== undefined })),
		...[...calls].map(([, from = ""]) => ({ from, typeOnly: false })),
	];
}

export function withoutComments(text: string): string {
	return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
