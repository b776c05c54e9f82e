import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { worktreeFolder } from "../../services/worktrees/worktrees.ts";
import { type Config, secretNames } from "../config/config.ts";
import { isLoopbackHost } from "../config/config-loopback.ts";
import { readPaired } from "../reach/reach-file.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

const MAX_LOOKED_AT = 50_000;

/** Who can connect, and whether the connection is encrypted. */
export function checkReach(config: Config): Finding {
	const subject = "reachable from";
	const paired = readPaired(config.home);
	if (paired?.way === "lan" && isLoopbackHost(config.host)) {
		return ok(
			subject,
			`this machine (${config.host}) and, as rightseat pair was told, the local network on port ${paired.port}, with TLS; every request needs a login`,
		);
	}
	if (isLoopbackHost(config.host)) return ok(subject, "this machine only; every request needs a login");
	if (config.tls !== undefined) return ok(subject, `the network (${config.host}), with TLS; every request needs a login`);
	return warning(
		subject,
		`the network (${config.host}) without TLS of our own: RIGHTSEAT_BEHIND_PROXY says that a proxy in front does it.`,
	);
}

export function checkFiles(home: string): Finding {
	const subject = "private files";
	if (process.platform === "win32" || !existsSync(home)) return ok(subject, "nothing is kept yet");
	try {
		const open = findOpen(home, { left: MAX_LOOKED_AT, skipped: worktreeFolder(home) });
		if (open === undefined) return ok(subject, "nobody else on this machine can read what is kept");
		return warning(subject, `other users can read ${open}. The next start makes it private.`);
	} catch (error) {
		// A file where a directory should be, or a directory of somebody else: the other checks still have something to say.
		return warning(subject, `cannot be looked at (${error instanceof Error ? error.message : String(error)})`);
	}
}

export function checkApproval(config: Config): Finding {
	const subject = "permissions";
	if (config.permissions === "ask") return ok(subject, "the agent asks before it acts");
	return ok(subject, "auto: the agent acts without asking, as your user. That is no sandbox; RIGHTSEAT_PERMISSIONS=ask makes it ask.");
}

export function checkRoots(config: Config): Finding {
	const subject = "working directories";
	const missing = config.roots.find((root) => !existsSync(root));
	if (missing !== undefined) return failure(subject, `RIGHTSEAT_ROOTS names ${missing}, which does not exist.`);
	if (config.roots.length === 0) return ok(subject, "anywhere this user may go; RIGHTSEAT_ROOTS limits it");
	return ok(subject, `only in ${config.roots.join(", ")}`);
}

/** A secret that came in the environment stays in the server's entry in /proc, where every program of the same user can read it. */
export function checkSecrets(env: NodeJS.ProcessEnv): Finding {
	const found = secretNames().filter((name) => env[name] !== undefined && env[name] !== "");
	if (found.length === 0) return ok("secrets", "none in the environment");
	return ok(
		"secrets",
		`${found.join(", ")}: no command inherits it, but a program of yours that sets out to can still read it in /proc/PID/environ of the server and of the shell that started it. config.json in the home directory (0600) keeps it out of there.`,
	);
}

export function checkPeople(config: Config): Finding {
	const subject = "telegram access";
	if (config.telegram === undefined) return ok(subject, "nobody: Telegram is off");
	const { allowedUsers, groups, pairing } = config.telegram;
	const named =
		allowedUsers.length === 0 ? "only people confirmed on the page" : `${allowedUsers.length} ids, and people confirmed on the page`;
	const people = pairing ? `${named}, who ask by a code` : `${named} before; strangers hear nothing`;
	return groups.length === 0
		? ok(subject, `${people}; private chats only`)
		: warning(subject, `${people}; ${groups.length} groups: every allowed person there can use the agent.`);
}

/** What lies in work trees has the bits that git gives it, behind a folder that is closed. */
function findOpen(folder: string, budget: { left: number; skipped: string }): string | undefined {
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		budget.left -= 1;
		if (budget.left < 0) return undefined;
		if (!entry.isFile() && !entry.isDirectory()) continue;
		const path = join(folder, entry.name);
		const stat = statSync(path, { throwIfNoEntry: false });
		if (stat !== undefined && (stat.mode & 0o077) !== 0) return path;
		const inside = entry.isDirectory() && path !== budget.skipped ? findOpen(path, budget) : undefined;
		if (inside !== undefined) return inside;
	}
	return undefined;
}
