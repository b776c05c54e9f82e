import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/** A log file that never grows past its bound: full, it becomes `file.1`, and the oldest goes. */
export interface LogFile {
	write(line: string): void;
	close(): void;
}

export interface LogFileOptions {
	path: string;
	/** A file is put aside before it grows larger than this. */
	maxBytes: number;
	/** Files kept beside the current one. */
	keep: number;
}

/** A longer line is cut: one careless dump must not push everything else out. */
export const MAX_LINE_BYTES = 64 * 1024;

export function openLogFile({ path, maxBytes, keep }: LogFileOptions): LogFile {
	let handle = openSync(path, "a", 0o600);
	let size = fstatSync(handle).size;

	const rotate = () => {
		closeSync(handle);
		rmSync(`${path}.${keep}`, { force: true });
		for (let index = keep - 1; index >= 0; index -= 1) renameIfThere(index === 0 ? path : `${path}.${index}`, `${path}.${index + 1}`);
		handle = openSync(path, "a", 0o600);
		size = fstatSync(handle).size;
	};

	return {
		write(line) {
			const bytes = cut(Buffer.from(line));
			if (size > 0 && size + bytes.length > maxBytes) rotate();
			writeSync(handle, bytes);
			size += bytes.length;
		},
		close: () => closeSync(handle),
	};
}

function cut(bytes: Buffer): Buffer {
	if (bytes.length <= MAX_LINE_BYTES) return bytes;
	return Buffer.concat([bytes.subarray(0, MAX_LINE_BYTES - 16), Buffer.from(" …[cut]\n")]);
}

function renameIfThere(from: string, to: string): void {
	try {
		renameSync(from, to);
	} catch (error) {
		if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
	}
}
