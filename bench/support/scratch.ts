import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new directory for the time of `work`. It lies where temporary files lie; a commit there costs what that disk makes it cost. */
export async function withScratch<T>(work: (directory: string) => Promise<T> | T): Promise<T> {
	const directory = mkdtempSync(join(process.env.RIGHTSEAT_BENCH_DIR ?? tmpdir(), "rightseat-bench-"));
	try {
		return await work(directory);
	} finally {
		rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
	}
}
