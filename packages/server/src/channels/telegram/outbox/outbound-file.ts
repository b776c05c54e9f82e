import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename, extname, isAbsolute, relative, resolve, sep } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import { worktreeFolder } from "../../../services/worktrees/worktrees.ts";

/** Largest file that Telegram takes from a bot, and largest picture. */
const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

export type OutboundFile = { ok: true; bytes: Uint8Array; filename: string; isPhoto: boolean } | { ok: false; reason: string };

const SECRET_FOLDERS = new Set([".git", ".ssh", ".gnupg", ".aws", ".kube", ".docker"]);
const SECRET_NAME =
	/^(\.env(\..*)?|\.netrc|\.npmrc|\.pgpass|id_(rsa|dsa|ecdsa|ed25519)|credentials(\.json)?|.*\.(pem|key|p12|pfx|jks|keystore))$/i;
const PHOTO = new Set([".png", ".jpg", ".jpeg", ".webp"]);

/** Reads a file that may leave: inside the working directory by its real path, no secret, nothing of ours, not too large. */
export async function readOutboundFile(request: {
	path: string;
	cwd: string;
	root: string;
	home: string;
	/** Looked at elsewhere first: a file on a mount that does not answer would for ever take a thread of this process. */
	folders: Pick<Folders, "look">;
}): Promise<OutboundFile> {
	const wanted = isAbsolute(request.path) ? request.path : resolve(request.cwd, request.path);
	let real: string | undefined;
	let root: string | undefined;
	let home: string | undefined;
	try {
		const looks = await Promise.all([wanted, request.root, request.home].map((path) => request.folders.look(path)));
		[real, root, home] = looks.map((look) => look?.realPath);
	} catch (error) {
		if (error instanceof AppError) return refuse(error.message);
		throw error;
	}
	if (real === undefined) return refuse(`There is no file ${request.path}.`);
	if (root === undefined || !isInside(root, real))
		return refuse(`${request.path} is outside of the working directory. Copy it there first.`);
	// Work trees lie there too, and are people's own.
	if (home !== undefined && isInside(home, real) && !isInside(worktreeFolder(home), real))
		return refuse("Files of Rightseat itself are not sent.");
	const parts = relative(root, real).split(sep);
	if (parts.some((part) => SECRET_FOLDERS.has(part)) || SECRET_NAME.test(basename(real)) || SECRET_NAME.test(basename(wanted))) {
		return refuse(`${request.path} looks like a secret and is not sent.`);
	}
	// The path is resolved; should a link appear in it now, opening it fails.
	const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const stats = await file.stat();
		if (!stats.isFile()) return refuse(`${request.path} is not a file.`);
		if (stats.size === 0) return refuse(`${request.path} is empty.`);
		if (stats.size > MAX_UPLOAD_BYTES) return refuse(`${request.path} is larger than the 50 MB that Telegram takes. Compress or split it.`);
		const bytes = await file.readFile();
		const isPhoto = PHOTO.has(extname(real).toLowerCase()) && bytes.length <= MAX_PHOTO_BYTES;
		return { ok: true, bytes, filename: basename(wanted), isPhoto };
	} finally {
		await file.close();
	}
}

const refuse = (reason: string): OutboundFile => ({ ok: false, reason });

function isInside(folder: string, path: string): boolean {
	const way = relative(folder, path);
	return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}
