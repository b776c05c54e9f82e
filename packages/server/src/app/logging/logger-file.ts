import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/** A log file that never grows past its bound: full, it becomes `file.1`, and the oldest goes. */
export interface LogFile {
	/** Never throws: a line that the disk refuses is dropped, and how many were is logged when it accepts one again. */
	write(line: string): void;
	close(): void;
}

export interface LogFileOptions {
	path: string;
	/** A file is rotated before it grows larger than this. */
	maxBytes: number;
	/** Files kept beside the current one. */
	keep: number;
}

/** A longer line is cut: one careless dump must not push everything else out. */
export const MAX_LINE_BYTES = 64 * 1024;

export function openLogFile({ path, maxBytes, keep }: LogFileOptions): LogFile {
	let handle: number | undefined = openSync(path, "a", 0o600);
	let size = fstatSync(handle).size;
	let leftOut = 0;

	const rotate = () => {
		if (handle !== undefined) closeSync(handle);
		// Closed for good if the next steps fail; the line after opens it again.
		handle = undefined;
		rmSync(`${path}.${keep}`, { force: true });
		for (let index = keep - 1; index >= 0; index -= 1) renameIfThere(index === 0 ? path : `${path}.${index}`, `${path}.${index + 1}`);
		return reopen();
	};
	const reopen = () => {
		handle = openSync(path, "a", 0o600);
		size = fstatSync(handle).size;
		return handle;
	};
	const append = (bytes: Buffer) => {
		const target = size > 0 && size + bytes.length > maxBytes ? rotate() : (handle ?? reopen());
		size += writeSync(target, bytes);
	};

	return {
		write(line) {
			try {
				if (leftOut > 0) append(Buffer.from(leftOutLine(leftOut)));
				leftOut = 0;
				append(cut(Buffer.from(line)));
			} catch (error) {
				// Without this a full disk would end the server: whoever logs does not expect it to fail.
				if (!(error instanceof Error && "syscall" in error)) throw error;
				leftOut += 1;
			}
		},
		close() {
			if (handle !== undefined) closeSync(handle);
		},
	};
}

const leftOutLine = (count: number) =>
	`${JSON.stringify({ level: 40, msg: `The disk did not take ${count} lines of this log; they are missing here.` })}\n`;

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
