import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Cost, costOf } from "./process-examiner.ts";
import { descendants, isOfKind, type ProcessKind } from "./processes.ts";
import type { Sample } from "./slopes.ts";

const PARTS = ["runtime", "shell", "recorder"] as const satisfies readonly ProcessKind[];

/** One look at everything that could fill up. What is not there at the moment, such as a runtime that is being started, has no value. */
export function look(minute: number, server: { pid: number; home: string }): Sample {
	const below = descendants(server.pid);
	const part = (kind: ProcessKind) => below.find(({ args }) => isOfKind(kind, args))?.pid;
	const costs = (pid: number | undefined): Cost | undefined => (pid === undefined ? undefined : costOf(pid));
	const [runtime, shell, recorder] = PARTS.map((kind) => costs(part(kind)));
	const own = costOf(server.pid);
	const sizes = diskSizes(server.home);
	return {
		minute,
		pids: { server: server.pid, runtime: part("runtime"), shell: part("shell"), recorder: part("recorder") },
		values: {
			...{ serverMegabytes: own?.megabytes, serverDescriptors: own?.descriptors },
			...{ runtimeMegabytes: runtime?.megabytes, runtimeDescriptors: runtime?.descriptors },
			...{ shellMegabytes: shell?.megabytes, shellDescriptors: shell?.descriptors },
			...{ recorderMegabytes: recorder?.megabytes, recorderDescriptors: recorder?.descriptors },
			processes: 1 + below.length,
			...sizes,
		},
	};
}

function diskSizes(home: string) {
	const database = join(home, "rightseat.db");
	const [databaseBytes, walBytes, keptBytes] = [sizeOf(database), sizeOf(`${database}-wal`), sizeOf(join(home, "shell"))];
	return {
		databaseMegabytes: megabytes(databaseBytes),
		walMegabytes: megabytes(walBytes),
		keptMegabytes: megabytes(keptBytes),
		otherMegabytes: megabytes(sizeOf(home) - databaseBytes - walBytes - keptBytes),
	};
}

const megabytes = (bytes: number) => Math.round((10 * bytes) / 2 ** 20) / 10;

/** Files come and go while this looks. */
function sizeOf(path: string): number {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (stat === undefined) return 0;
	return stat.isDirectory() ? namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stat.size;
}

function namesIn(path: string): string[] {
	try {
		return readdirSync(path);
	} catch {
		return [];
	}
}
