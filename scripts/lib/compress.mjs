import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = /\.(?:js|css|html|svg|json|webmanifest|txt|map)$/;
/** Below this, headers outweigh what compression saves. */
const MIN_BYTES = 1024;

/** Puts a `.br` and a `.gz` beside every text file, so that the server never compresses while it serves. @param {string} folder */
export async function compressFolder(folder) {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && TEXT.test(entry.name));
	const start = join(folder, "index.html");
	const page = existsSync(start) ? await readFile(start, "utf8") : "";
	await Promise.all(files.map((entry) => compressFile(join(entry.parentPath ?? entry.path, entry.name), page.includes(`/${entry.name}"`))));
}

/** @param {string} file @param {boolean} first whether every first visit waits for it */
async function compressFile(file, first) {
	const content = await readFile(file);
	if (content.length < MIN_BYTES) return;
	// The best takes more than twice the time of one step below it for two percent; only what is in every first visit is worth it.
	const quality = first ? 11 : 10;
	const brotli = await promisify(brotliCompress)(content, {
		params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
	});
	const gzipped = await promisify(gzip)(content, { level: 9 });
	await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}
