import { execFile } from "node:child_process";
import { delimiter, isAbsolute, join } from "node:path";

/** A bash of this machine. */
export interface FoundBash {
	path: string;
	/** Such as `5.2.15`. */
	version: string;
	/** New enough for the state of commands to be kept; an older one cannot run them at all. */
	usable: boolean;
}

/** Where people have a newer one beside that of macOS, which is 3.2 for ever; a server that the system starts has them not on its path. */
const OTHER_PLACES = ["/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin", "/run/current-system/sw/bin"];
const ASK_LIMIT_MS = 5_000;
const NEEDED = { major: 4, minor: 4 };
const BASH_NEEDED = `${NEEDED.major}.${NEEDED.minor}`;

/** The first bash of the path that is new enough, else one from the usual places, else the one there is. Undefined: none on the path. */
export async function findBash(searchPath: string, otherPlaces = OTHER_PLACES): Promise<FoundBash | undefined> {
	let tooOld: FoundBash | undefined;
	const onPath = searchPath.split(delimiter).filter(isAbsolute);
	for (const folder of new Set([...onPath, ...otherPlaces])) {
		if (!onPath.includes(folder) && tooOld === undefined) return undefined;
		const found = await askVersion(join(folder, "bash"));
		if (found?.usable === true) return found;
		tooOld ??= found;
	}
	return tooOld;
}

/** What is wrong, and what to do. */
export function bashProblem(found: FoundBash | undefined): string | undefined {
	if (found === undefined) return "bash could not be started. Install bash and make sure that it is on the PATH.";
	if (found.usable) return undefined;
	return `${found.path} is bash ${found.version}, and commands need ${BASH_NEEDED} or later. Install a newer one (on macOS: brew install bash) and start Rightseat again.`;
}

function askVersion(path: string): Promise<FoundBash | undefined> {
	const script = 'printf %s "$BASH_VERSION"';
	return new Promise((resolve) => {
		execFile(path, ["--noprofile", "--norc", "-c", script], { env: {}, timeout: ASK_LIMIT_MS, killSignal: "SIGKILL" }, (error, stdout) => {
			const [version = "", major, minor] = /^(\d+)\.(\d+)(?:\.\d+)?/.exec(stdout) ?? [];
			if (error !== null || major === undefined || minor === undefined) return resolve(undefined);
			const usable = Number(major) > NEEDED.major || (Number(major) === NEEDED.major && Number(minor) >= NEEDED.minor);
			return resolve({ path, version, usable });
		});
	});
}
