import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Finding, failure, ok, warning } from "./finding.ts";

const LITTLE_BYTES = 200 * 1024 * 1024;
const ENOUGH_BYTES = 1024 * 1024 * 1024;

export function checkHome(home: string): Finding {
	const subject = "home directory";
	const nearest = nearestExisting(home);
	if (!statSync(nearest).isDirectory()) return failure(subject, `${nearest} is not a directory. Choose another one with --home.`);
	try {
		accessSync(nearest, constants.W_OK | constants.X_OK);
	} catch {
		return failure(subject, `cannot write to ${nearest}. Choose another one with --home.`);
	}
	if (nearest !== home) return ok(subject, `${home} will be created`);
	if (isOpenToOthers(home)) return warning(subject, `${home} is open to other users. The next start makes it private.`);
	return ok(subject, home);
}

export function checkToken(home: string): Finding {
	const file = join(home, "token");
	if (!existsSync(file)) return ok("access token", "will be made by the first start");
	return isOpenToOthers(file)
		? failure("access token", `other users can read ${file}. Run: chmod 600 ${file}`)
		: ok("access token", "private");
}

export function checkDisk(home: string): Finding {
	const { bavail, bsize } = statfsSync(nearestExisting(home));
	const free = bavail * bsize;
	const text = `${(free / 1024 ** 3).toFixed(1)} GB free`;
	if (free < LITTLE_BYTES) return failure("disk space", `${text}. Make room: nothing can be saved on a full disk.`);
	return free < ENOUGH_BYTES ? warning("disk space", `${text}. Make room soon.`) : ok("disk space", text);
}

function nearestExisting(path: string): string {
	return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

const isOpenToOthers = (path: string) => process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;
