/** A finished output file. */
export interface KeptFile {
	path: string;
	bytes: number;
	/** When it was written last. */
	modified: number;
}

/** Finished output files by folder, as far as they are known. In memory, so that asking costs no look at the disk; bounded in files. */
export interface FileIndex {
	readonly bytes: number;
	bytesIn(folder: string): number;
	/** A file that was just finished. Gives the ones that have to go because there would be too many. */
	add(folder: string, file: KeptFile): KeptFile[];
	/** What a look at the folder has shown; files that were finished since the look began stay. Gives the ones that are too many. */
	replace(folder: string, files: KeptFile[], lookedSince: number): KeptFile[];
	/** Takes out the oldest file of a folder, or of all. */
	takeOldest(folder?: string): KeptFile | undefined;
	forget(folder: string): void;
}

export const MAX_FILES_IN_FOLDER = 500;

interface Folder {
	/** Oldest first. */
	files: KeptFile[];
	bytes: number;
}

export function createFileIndex(): FileIndex {
	const folders = new Map<string, Folder>();
	let total = 0;

	function put(name: string, files: KeptFile[]): KeptFile[] {
		const ordered = files.sort((a, b) => a.modified - b.modified);
		const surplus = ordered.splice(0, Math.max(0, ordered.length - MAX_FILES_IN_FOLDER));
		const bytes = ordered.reduce((sum, file) => sum + file.bytes, 0);
		total += bytes - bytesIn(name);
		if (ordered.length === 0) folders.delete(name);
		else folders.set(name, { files: ordered, bytes });
		return surplus;
	}

	const filesIn = (name: string) => folders.get(name)?.files ?? [];
	const bytesIn = (name: string) => folders.get(name)?.bytes ?? 0;

	function oldestFolder(): string | undefined {
		let found: string | undefined;
		let oldest = Number.POSITIVE_INFINITY;
		for (const [name, { files }] of folders) {
			const modified = files[0]?.modified ?? Number.POSITIVE_INFINITY;
			if (modified >= oldest) continue;
			found = name;
			oldest = modified;
		}
		return found;
	}

	return {
		get bytes() {
			return total;
		},
		bytesIn,
		add: (name, file) => put(name, [...filesIn(name), file]),
		replace(name, files, lookedSince) {
			const seen = new Set(files.map((file) => file.path));
			return put(name, [...files, ...filesIn(name).filter((file) => file.modified >= lookedSince && !seen.has(file.path))]);
		},
		takeOldest(name = oldestFolder()) {
			const [oldest, ...rest] = name === undefined ? [] : filesIn(name);
			if (name !== undefined && oldest !== undefined) put(name, rest);
			return oldest;
		},
		forget: (name) => void put(name, []),
	};
}
