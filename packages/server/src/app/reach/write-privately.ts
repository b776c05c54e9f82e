import { renameSync, rmSync, writeFileSync } from "node:fs";

/** A file for its owner only, whole or not at all. Throws what the disk says. */
export function writePrivately(file: string, text: string): void {
	const half = `${file}.${process.pid}`;
	try {
		writeFileSync(half, text, { mode: 0o600 });
		renameSync(half, file);
	} catch (error) {
		rmSync(half, { force: true });
		throw error;
	}
}
