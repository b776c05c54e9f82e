import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { CACHE, ROOT } from "../../scripts/lib/places.mjs";
import { BUNDLE_VARIABLE, keyOf } from "./fork-program.ts";

/**
 * Makes one bundle of these programs and gives what removes it: each is started often, and compiling its sources every time took longer than many a measurement.
 * In the bundle a file still knows the place of its source.
 */
export async function bundlePrograms(files: readonly string[]): Promise<() => void> {
	mkdirSync(CACHE, { recursive: true });
	const folder = mkdtempSync(join(CACHE, "bench-"));
	const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
	const outside = Object.keys({ ...dependencies, ...devDependencies });
	const bundle = await rolldown({
		input: Object.fromEntries(files.map((file) => [keyOf(file), file])),
		platform: "node",
		logLevel: "silent",
		external: (id) => id.startsWith("node:") || outside.some((name) => id === name || id.startsWith(`${name}/`)),
		plugins: [{ name: "own-place", transform: (code, id) => withItsPlace(code, id) }],
	});
	await bundle.write({ dir: folder, format: "esm" });
	await bundle.close();
	process.env[BUNDLE_VARIABLE] = folder;
	return () => {
		delete process.env[BUNDLE_VARIABLE];
		rmSync(folder, { recursive: true, force: true });
	};
}

function withItsPlace(code: string, id: string): string {
	return code
		.replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
		.replaceAll("import.meta.filename", JSON.stringify(id))
		.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href));
}
