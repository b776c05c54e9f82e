import { open, rename, rm } from "node:fs/promises";

/** Writes a file that only its owner may read: whole or not at all, and on the disk before it resolves. Rejects with what the disk says. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
	const half = `${file}.${process.pid}`;
	try {
		// A half of an earlier time may be open to others.
		await rm(half, { force: true });
		const handle = await open(half, "wx", 0o600);
		try {
			await handle.writeFile(text);
			await handle.sync();
		} finally {
			await handle.close();
		}
		await rename(half, file);
	} catch (error) {
		await rm(half, { force: true });
		throw error;
	}
}
