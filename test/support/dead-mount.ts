import { closeSync, mkdtempSync, openSync, rmdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory whose file system never answers, as a network folder whose server is gone. */
export interface DeadMount {
	readonly path: string;
	/** Whoever waits there gets an error, and the directory is gone. */
	close(): void;
}

const MNT_DETACH = 2;

/**
 * A FUSE mount behind which nobody answers. Undefined, with a line that says why, where this machine does not allow one (it
 * takes root and /dev/fuse). Look at nothing below it in the test's own process: that would wait for ever.
 */
export function openDeadMount(): DeadMount | undefined {
	const missing = whyNoDeadMount();
	if (missing !== undefined) {
		console.warn(`SKIPPED: dead mounts are not tested here: ${missing}.`);
		return undefined;
	}
	return mountNothing(mkdtempSync(join(tmpdir(), "rightseat-dead-")));
}

/** Why this machine has no dead mounts; undefined when it has. */
export function whyNoDeadMount(): string | undefined {
	try {
		mountNothing(mkdtempSync(join(tmpdir(), "rightseat-dead-"))).close();
		return undefined;
	} catch (error) {
		return `no FUSE mount can be made (${error instanceof Error ? error.message : String(error)})`;
	}
}

/** Lays it over an empty directory, which is removed with it. */
export function mountNothing(path: string): DeadMount {
	if (process.platform !== "linux" || process.getuid?.() !== 0) throw new Error("it takes Linux and root");
	const require = createRequire(join(import.meta.dirname, "../../packages/server/package.json"));
	const libc = require("koffi").load(null);
	const mount = libc.func("int mount(const char *, const char *, const char *, ulong, const char *)");
	const unmount = libc.func("int umount2(const char *, int)");
	// The kernel asks on this file, and nobody ever reads it.
	const device = openSync("/dev/fuse", "r+");
	if (mount("dead", path, "fuse", 0, `fd=${device},rootmode=40000,user_id=0,group_id=0,allow_other`) !== 0) {
		closeSync(device);
		throw new Error("mount was refused");
	}
	return {
		path,
		close() {
			closeSync(device);
			unmount(path, MNT_DETACH);
			rmdirSync(path);
		},
	};
}
