import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { makeScratch } from "../frame/scratch.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** Most of what a round makes is garbage at once; with more room for the young fewer of them grow old. */
const YOUNG_MB = 32;

/** The program of the workers in one file: it starts in a fraction of the time, and nothing between it and Node makes it slower. */
export async function bundleWorker(): Promise<{ program: string; execArgv: readonly string[]; remove(): void }> {
	const folder = makeScratch();
	const remove = () => rmSync(folder, { recursive: true, force: true });
	try {
		// Libraries with native code find their files beside themselves.
		symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
		const bundle = await rolldown({
			input: join(import.meta.dirname, "worker-main.ts"),
			platform: "node",
			external: (id) => id.startsWith("node:") || id === "@photostructure/sqlite",
			logLevel: "silent",
		});
		await bundle.write({ dir: folder, format: "esm", sourcemap: true, entryFileNames: "[name].mjs", codeSplitting: false });
		await bundle.close();
		const program = join(folder, "worker-main.mjs");
		return { program, execArgv: ["--enable-source-maps", `--max-semi-space-size=${YOUNG_MB}`], remove };
	} catch (error) {
		remove();
		throw error;
	}
}
