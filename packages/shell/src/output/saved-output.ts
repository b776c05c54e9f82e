import type { OutputFile } from "./output-file.ts";

/** The raw bytes of one command, in a file as soon as they are more than what fits into an answer. */
export interface SavedOutput {
	/** Copies the chunk until a file has it. */
	push(chunk: Buffer): void;
	/** A file is needed whatever the length; asked again it changes nothing. */
	save(): void;
	/** The end of a sentence that says where to find what a view leaves out; empty while nothing had to be saved. */
	hint(): string;
	close(): void;
}

/** Longer output may not fit into what the model gets, so it needs a file. */
export const SAVE_AFTER_BYTES = 28_000;

export function createSavedOutput(openFile: () => OutputFile | undefined): SavedOutput {
	/** Until it is known whether a file is needed; undefined from then on. */
	let backlog: Buffer[] | undefined = [];
	let backlogBytes = 0;
	let file: OutputFile | undefined;

	function save(): void {
		if (backlog === undefined) return;
		file = openFile();
		for (const chunk of backlog) file?.write(chunk);
		backlog = undefined;
	}

	return {
		push(chunk) {
			if (backlog === undefined) {
				file?.write(chunk);
				return;
			}
			backlog.push(Buffer.from(chunk));
			backlogBytes += chunk.length;
			if (backlogBytes > SAVE_AFTER_BYTES) save();
		},
		save,
		hint() {
			if (backlog !== undefined) return "";
			if (file === undefined || file.bytes === 0) return "; it could not be saved to a file";
			return file.cut === undefined ? `; full output: ${file.path}` : `; the first ${file.bytes} bytes: ${file.path}`;
		},
		close: () => file?.close(),
	};
}
