import { readdirSync } from "node:fs";
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
	await Promise.all(files.map((entry) => compressFile(join(entry.parentPath ?? entry.path, entry.name))));
}

/** @param {string} file */
async function compressFile(file) {
	const content = await readFile(file);
	if (content.length < MIN_BYTES) return;
	// One step below the best: one percent larger, in less than half the time.
	const brotli = await promisify(brotliCompress)(content, {
		params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
	});
	const gzipped = await promisify(gzip)(content, { level: 9 });
	await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}
