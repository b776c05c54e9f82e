import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/**
 * A number that a process hands on to whatever comes of it, and that is not lost with environment, session, group or parent: it stands in a
 * limit that nobody uses, the processor time of real-time threads. Nineteen digits of microseconds are more than 100,000 years, so it limits nothing.
 */
export interface Marking {
	/** Runs `start`; the process that it starts before it returns carries the mark, and so does all that comes of it. */
	marked<T>(mark: string, start: () => T): T;
	/** Marks a process of ours that runs: what comes of it from now on carries the mark as well. One that has ended is none. */
	put(mark: string, pid: number): void;
}

/** A number of this form is a mark, and nobody else's limit. */
const MARK = /^4\d{18}$/;

const RLIMIT_RTTIME = 15;
/** Where a limit is a number of 32 bits. */
const NARROW = ["arm", "ia32"];

/** Undefined where processes cannot be marked: no Linux, or no native library. */
export async function loadMarking(): Promise<Marking | undefined> {
	if (process.platform !== "linux" || NARROW.includes(process.arch)) return undefined;
	try {
		const { default: koffi } = await import("koffi");
		const libc = koffi.load(null);
		const getLimit: Call = libc.func("int getrlimit(int, _Out_ uint64_t *)");
		const setLimit: Call = libc.func("int setrlimit(int, const uint64_t *)");
		const limitOf: Call = libc.func("int prlimit(int, int, const uint64_t *, _Out_ uint64_t *)");
		return {
			marked(mark, start) {
				const own = new BigUint64Array(2);
				if (!MARK.test(mark) || getLimit(RLIMIT_RTTIME, own) !== 0) return start();
				// A child inherits the limits of the moment in which it is made. Only the soft one: a lowered hard one could not be taken back.
				setLimit(RLIMIT_RTTIME, BigUint64Array.of(BigInt(mark), own[1] ?? 0n));
				try {
					return start();
				} finally {
					setLimit(RLIMIT_RTTIME, own);
				}
			},
			put(mark, pid) {
				const its = new BigUint64Array(2);
				if (!MARK.test(mark) || limitOf(pid, RLIMIT_RTTIME, null, its) !== 0) return;
				limitOf(pid, RLIMIT_RTTIME, BigUint64Array.of(BigInt(mark), its[1] ?? 0n), null);
			},
		};
	} catch {
		return undefined;
	}
}

type Call = (...args: unknown[]) => unknown;

/** The mark of a living process; the kernel has it at hand and never waits for it. */
export function findMark(pid: number): string | undefined {
	try {
		const mark = markIn(readFileSync(`/proc/${pid}/limits`, "latin1"));
		// A process that has ended keeps its limits until somebody takes its exit status.
		return mark === undefined || isOver(readFileSync(`/proc/${pid}/stat`, "latin1")) ? undefined : mark;
	} catch {
		// Ended meanwhile, or there is no such file here.
		return undefined;
	}
}

/** The same without holding the thread. Never rejects. */
export async function readMark(pid: number): Promise<string | undefined> {
	try {
		const mark = markIn(await readFile(`/proc/${pid}/limits`, "latin1"));
		return mark === undefined || isOver(await readFile(`/proc/${pid}/stat`, "latin1")) ? undefined : mark;
	} catch {
		return undefined;
	}
}

function markIn(limits: string): string | undefined {
	const limit = /^Max realtime timeout +(\d+) /m.exec(limits)?.[1];
	return limit !== undefined && MARK.test(limit) ? limit : undefined;
}

/** The state stands behind the name, which may hold anything. */
const isOver = (stat: string) => /^\) [ZX]/.test(stat.slice(stat.lastIndexOf(")")));
