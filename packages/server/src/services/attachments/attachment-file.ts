import { lstat, mkdir, open, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";

/** A file system takes 255 bytes in one name; some of it is for what programs add. */
export const MAX_FILE_NAME_BYTES = 120;

const NO_PICTURE_ENDING = ".bin";
/** What the agent runtime takes for a picture by its ending; when it cannot read it as one, the model hears nothing of the file at all. */
const PICTURE_ENDING = /\.(png|jpe?g|gif|webp|bmp|tiff?|heic|heif|avif|ico)$/i;
/** Names of devices: programs of other systems cannot open them. */
const RESERVED_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

const IMAGE_EXTENSIONS: Record<string, readonly string[]> = {
	"image/png": [".png"],
	"image/jpeg": [".jpg", ".jpeg"],
	"image/gif": [".gif"],
	"image/webp": [".webp"],
};

/**
 * The name under which an upload lies in a directory of its own. The agent runtime tells the model only the last part of the path, and takes
 * a file for a picture only by its ending: a picture gets the one of its content, and what is none that models see does not end like one.
 */
export function fileNameFor(name: string, mimeType: string): string {
	const tame = name.replace(/[^\p{L}\p{N}\p{M} ._()+@-]+/gu, "_").replace(/^[.\s-]+|[.\s]+$/g, "");
	const clean = RESERVED_NAME.test(tame) ? `_${tame}` : tame;
	const ending = /\.[A-Za-z0-9]{1,10}$/.exec(clean)?.[0] ?? "";
	const fitting = IMAGE_EXTENSIONS[mimeType] ?? (PICTURE_ENDING.test(ending) ? [NO_PICTURE_ENDING] : undefined);
	const kept = fitting === undefined || fitting.includes(ending.toLowerCase()) ? ending : (fitting[0] ?? "");
	const stem = kept === ending ? clean.slice(0, clean.length - ending.length) : clean;
	return `${firstBytes(stem, MAX_FILE_NAME_BYTES - kept.length) || "file"}${kept}`;
}

/** Writes an upload so that a power cut cannot take it back: its bytes and its name are on the disk when this resolves. A write that fails leaves nothing. */
export async function writeAttachment(
	directory: string,
	file: { id: string; fileName: string; content: Buffer },
	sync: (path: string) => Promise<void> = syncPath,
): Promise<string> {
	const own = join(directory, file.id);
	const path = join(own, file.fileName);
	try {
		await mkdir(own, { mode: 0o700 });
		await writeFile(path, file.content, { mode: 0o600, flag: "wx" });
		for (const made of [path, own, directory]) await sync(made);
		return path;
	} catch (error) {
		await rm(own, { recursive: true, force: true });
		throw error;
	}
}

async function syncPath(path: string): Promise<void> {
	const handle = await open(path, "r");
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/**
 * Whether an upload is still the file that we wrote. A link on the way to it, or a second name of another file in its place, would let
 * whoever made it be given something else. The home directory itself may lie behind a link: its owner chose that.
 */
export async function isPlainFile(home: string, way: string): Promise<boolean> {
	try {
		const wanted = join(await realpath(home), way);
		const [real, file] = await Promise.all([realpath(wanted), lstat(wanted)]);
		return real === wanted && way.startsWith(`attachments${sep}`) && file.isFile() && file.nlink === 1;
	} catch {
		// Not there, or not ours to see.
		return false;
	}
}

/** Removes the file and the directory that was made for it; earlier uploads have none. */
export async function removeAttachment(path: string): Promise<void> {
	await rm(path, { force: true });
	const own = dirname(path);
	if (basename(own) === "attachments") return;
	try {
		await rmdir(own);
	} catch (error) {
		// Something else may lie in it, which is not ours to remove; or it went before.
		if (!(error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "ENOENT"))) throw error;
	}
}

function firstBytes(text: string, max: number): string {
	let bytes = 0;
	let kept = "";
	for (const character of text) {
		bytes += Buffer.byteLength(character);
		if (bytes > max) return kept;
		kept += character;
	}
	return kept;
}
