import { closeSync, openSync, writeSync } from "node:fs";

/** The whole output of one command on disk, up to a cap. A full or broken disk ends the file, never the command. */
export interface OutputFile {
	write(chunk: Uint8Array): void;
	readonly path: string;
	readonly bytes: number;
	/** Not everything is in the file: the cap was reached or the disk refused. */
	readonly cut: "cap" | "error" | undefined;
	close(): void;
}

export interface OutputFileLimits {
	/** How many more bytes may be written now; asked before each write. */
	allowance(): number;
	/** Told how many bytes were written. */
	used(bytes: number): void;
	/** Told once, with the size of the file, when its command is done with it. */
	closed?(bytes: number): void;
}

export function createOutputFile(path: string, limits: OutputFileLimits, write: typeof writeSync = writeSync): OutputFile {
	let fd: number | undefined;
	let bytes = 0;
	let cut: "cap" | "error" | undefined;
	let isClosed = false;

	function closeFile(): void {
		if (fd === undefined) return;
		const closing = fd;
		fd = undefined;
		try {
			closeSync(closing);
		} catch {
			// A disk may refuse its last bytes only now; the command's end must still be told.
			cut ??= "error";
		}
	}
	function fail(why: "cap" | "error"): void {
		cut = why;
		closeFile();
	}

	try {
		fd = openSync(path, "wx", 0o600);
	} catch {
		cut = "error";
	}
	return {
		write(chunk) {
			if (fd === undefined) return;
			const part = chunk.subarray(0, Math.max(0, limits.allowance()));
			try {
				for (let at = 0; at < part.length; ) {
					const written = write(fd, part, at, part.length - at);
					at += written;
					bytes += written;
					limits.used(written);
				}
			} catch {
				fail("error");
				return;
			}
			if (part.length < chunk.length) fail("cap");
		},
		path,
		get bytes() {
			return bytes;
		},
		get cut() {
			return cut;
		},
		close() {
			closeFile();
			if (isClosed) return;
			isClosed = true;
			limits.closed?.(bytes);
		},
	};
}
