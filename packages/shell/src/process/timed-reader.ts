/** Reads files that may never answer, such as the memory of a process that waits for a dead disk. */
export interface TimedReader {
	/** Undefined when it cannot be read, has not answered in time, or was asked when too many others had not. Never rejects. */
	read(path: string): Promise<Buffer | undefined>;
}

const LIMIT_MS = 500;
/** Each of them holds one of the four threads that all file work of this process shares. */
export const MAX_STUCK = 2;
/** Reads at a time; the rest waits its turn, so that nobody's file work queues behind ten thousand of ours. */
const MAX_READS = 16;

export function createTimedReader(readFile: (path: string) => Promise<Buffer>, limitMs = LIMIT_MS): TimedReader {
	const stuck = new Set<string>();
	const waiting: (() => void)[] = [];
	let reads = 0;

	async function readNow(path: string): Promise<Buffer | undefined> {
		if (stuck.has(path) || stuck.size >= MAX_STUCK) return undefined;
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<undefined>((resolve) => {
			timer = setTimeout(() => {
				stuck.add(path);
				resolve(undefined);
			}, limitMs);
		});
		const bytes = readFile(path)
			// Ended meanwhile, or of another user.
			.catch(() => undefined)
			.finally(() => stuck.delete(path));
		try {
			return await Promise.race([bytes, late]);
		} finally {
			clearTimeout(timer);
		}
	}

	return {
		async read(path) {
			if (reads >= MAX_READS) await new Promise<void>((resolve) => waiting.push(resolve));
			reads++;
			try {
				return await readNow(path);
			} finally {
				reads--;
				waiting.shift()?.();
			}
		},
	};
}
