/** System calls that Node does not offer. Without the native library the shell still works, with less certainty. */
export interface Native {
	/** Orphans of our commands become children of this process, so that none gets away. */
	readonly subreaper: boolean;
	/** A real pipe. Node's own is a socket, and opening /dev/stdout fails on a socket. */
	pipe(): { read: number; write: number } | undefined;
	/** Takes the exit status of an ended orphan, which would stay a zombie otherwise. */
	reap(pid: number): void;
}

const PR_SET_CHILD_SUBREAPER = 36;
const O_CLOEXEC = 0o2000000;
const CLOSE_RANGE_CLOEXEC = 4;
const WNOHANG = 1;
const LAST_FD = 0x7fffffff;

export async function loadNative(): Promise<Native> {
	if (process.platform !== "linux") return withoutNative;
	try {
		const { default: koffi } = await import("koffi");
		const libc = koffi.load(null);
		const prctl: Call = libc.func("int prctl(int, ulong, ulong, ulong, ulong)");
		const pipe2: Call = libc.func("int pipe2(_Out_ int *, int)");
		const waitpid: Call = libc.func("int waitpid(int, _Out_ int *, int)");
		const closeRange: Call = libc.func("int close_range(uint, uint, int)");
		// Files that whoever started us left open must not reach the commands.
		closeRange(3, LAST_FD, CLOSE_RANGE_CLOEXEC);
		const subreaper = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0;
		return {
			subreaper,
			pipe() {
				const fds = new Int32Array(2);
				if (pipe2(fds, O_CLOEXEC) !== 0) return undefined;
				const [read = -1, write = -1] = fds;
				return { read, write };
			},
			reap(pid) {
				waitpid(pid, new Int32Array(1), WNOHANG);
			},
		};
	} catch {
		return withoutNative;
	}
}

type Call = (...args: unknown[]) => unknown;

/** What Node alone can do. */
export const withoutNative: Native = { subreaper: false, pipe: () => undefined, reap: () => undefined };
