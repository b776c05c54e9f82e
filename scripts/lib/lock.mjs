import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CACHE } from "./places.mjs";

const POLL_MS = 250;
/** A lock without a readable owner is one whose owner died between making and writing it. */
const UNOWNED_AFTER_MS = 10_000;

/**
 * Only one process at a time does `work`; the others wait for it. A lock whose owner is gone is taken over.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {string} [folder] where the lock lies
 */
export async function withLock(name, work, folder = CACHE) {
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `${name}.lock`);
	let told = false;
	while (!tryTake(file)) {
		if (isAbandoned(file)) {
			rmSync(file, { force: true });
			continue;
		}
		if (!told) console.error("Another start is installing or building; waiting for it …");
		told = true;
		await delay(POLL_MS);
	}
	try {
		return await work();
	} finally {
		rmSync(file, { force: true });
	}
}

/** @param {string} file */
function tryTake(file) {
	try {
		const handle = openSync(file, "wx");
		writeSync(handle, String(process.pid));
		closeSync(handle);
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
		throw error;
	}
}

/** @param {string} file */
function isAbandoned(file) {
	try {
		const owner = Number(readFileSync(file, "utf8"));
		if (owner > 0) return !isAlive(owner);
		return Date.now() - statSync(file).mtimeMs > UNOWNED_AFTER_MS;
	} catch {
		// It was released between the two looks.
		return false;
	}
}

/** @param {number} pid */
function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
