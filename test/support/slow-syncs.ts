import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const SHIM = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static int later(const char *name, int file) {
	struct timespec delay = { 0, DELAY_MS * 1000000L };
	nanosleep(&delay, 0);
	return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}
int fsync(int file) { return later("fsync", file); }
int fdatasync(int file) { return later("fdatasync", file); }
`;

/** Environment in which every sync of a process, on whatever thread, takes so much longer; undefined where there is no C compiler. */
export function slowSyncs(directory: string, delayMs: number): Record<string, string> | undefined {
	const [source, library] = [join(directory, "slow-syncs.c"), join(directory, "slow-syncs.so")];
	writeFileSync(source, SHIM.replace("DELAY_MS", String(delayMs)));
	try {
		execFileSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"], { stdio: "ignore" });
	} catch {
		return undefined;
	}
	return { LD_PRELOAD: library };
}
