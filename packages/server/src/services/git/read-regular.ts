import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The bytes of a file, not through a link and not of a pipe that took its place; undefined when it may not be read. */
export async function readRegular(path: Buffer): Promise<Buffer | undefined> {
	const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
	if (file === undefined) return undefined;
	try {
		return (await file.stat()).isFile() ? await file.readFile() : undefined;
	} finally {
		await file.close();
	}
}
