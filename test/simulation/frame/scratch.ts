import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** In memory where the system has such a folder: nothing here needs to survive. */
export const scratchPlace = () => (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

const PREFIX = "rightseat-simulation-";
const OWNED = new RegExp(`^${PREFIX}(\\d+)-`);

/** A folder for one round, with the number of this process in its name. Whoever makes it removes it; `sweepScratch` does it for who was killed. */
export const makeScratch = () => mkdtempSync(join(scratchPlace(), `${PREFIX}${process.pid}-`));

/** Removes the folders of processes that are gone. */
export function sweepScratch(): void {
	const place = scratchPlace();
	for (const name of readdirSync(place)) {
		const owner = OWNED.exec(name)?.[1];
		if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(place, name), { recursive: true, force: true });
	}
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// Of another user, it is there and may not be asked.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
