import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The look at all processes takes at most this long: it is a note, not a promise. */
const LOOK_MS = 500;
/** Names told of one file. */
const MAX_NAMES = 5;

/** Which of these files (absolute, latin1) processes have open for writing: after a swap they go on writing into bytes that have lost their name. */
export function findHolders(paths: ReadonlySet<string>, lookMs = LOOK_MS): Map<string, string[]> {
	const holders = new Map<string, string[]>();
	const until = performance.now() + lookMs;
	const pids = listed("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
	// The latest first: what was started for this work is most likely to be in it.
	for (const pid of pids.sort((one, other) => Number(other) - Number(one))) {
		if (performance.now() > until) break;
		for (const file of listed(`/proc/${pid}/fd`)) {
			const path = linkOf(`/proc/${pid}/fd/${file}`);
			const names = holders.get(path) ?? [];
			if (!paths.has(path) || names.length >= MAX_NAMES || !writes(`/proc/${pid}/fdinfo/${file}`)) continue;
			holders.set(path, [...new Set([...names, textOf(`/proc/${pid}/comm`).trim()])]);
		}
	}
	return holders;
}

/** The access mode is in the lowest two bits of the flags, which are octal. */
const writes = (info: string) => (Number.parseInt(/^flags:\s*(\d+)/m.exec(textOf(info))?.[1] ?? "0", 8) & 3) !== 0;

// A process that ended meanwhile, or of another user, holds nothing that we could name.
function listed(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

function linkOf(path: string): string {
	try {
		return readlinkSync(path, "latin1");
	} catch {
		return "";
	}
}

function textOf(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
