import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import * as z from "zod/mini";

/** What commands on this machine read to find the server: a hint, which they check by connecting. */
export interface ServerFile {
	/** Where it listens on this machine. */
	url: string;
	version: string;
}

/** Writes `server.json` into the home, private, and whole or not at all. Throws what the disk says. */
export function writeServerFile(home: string, { url, version }: ServerFile): void {
	const file = fileIn(home);
	const half = `${file}.${process.pid}`;
	const content = { url, pid: process.pid, version, protocol: PROTOCOL_VERSION, startedAt: new Date().toISOString() };
	try {
		writeFileSync(half, `${JSON.stringify(content)}\n`, { mode: 0o600 });
		renameSync(half, file);
	} catch (error) {
		rmSync(half, { force: true });
		throw error;
	}
}

/** Removes it, unless another process has written it since. */
export function removeServerFile(home: string): void {
	if (writerOf(home) === process.pid) rmSync(fileIn(home), { force: true });
}

/** Before a start: one that a killed server left behind leads nowhere. */
export const forgetServerFile = (home: string): void => rmSync(fileIn(home), { force: true });

const fileIn = (home: string) => join(home, "server.json");

function writerOf(home: string): number | undefined {
	try {
		const value: unknown = JSON.parse(readFileSync(fileIn(home), "utf8"));
		return z.object({ pid: z.number() }).parse(value).pid;
	} catch {
		// Not there, or not ours to judge.
		return undefined;
	}
}
