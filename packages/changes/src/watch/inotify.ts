import type { Watcher } from "./watcher.ts";

const [IN_NONBLOCK, IN_CLOEXEC] = [0o4000, 0o2000000];
/** modify, attrib, close-write, moved-from, moved-to, create, delete, delete-self, move-self */
const EVENTS = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800;
const [IN_ONLYDIR, IN_DONT_FOLLOW, IN_EXCL_UNLINK] = [0x01000000, 0x02000000, 0x04000000];
const MASK = EVENTS | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;
const [IN_UNMOUNT, IN_Q_OVERFLOW, IN_IGNORED] = [0x2000, 0x4000, 0x8000];
const HEADER_BYTES = 16;
const BUFFER_BYTES = 256 * 1024;

type Call = (...args: unknown[]) => unknown;

/** The kernel's own queue, read without waiting and only when asked. Undefined where there is none, or no more instances. */
export async function createInotify(): Promise<Watcher | undefined> {
	if (process.platform !== "linux") return undefined;
	try {
		const { default: koffi } = await import("koffi");
		const libc = koffi.load(null);
		const init: Call = libc.func("int inotify_init1(int)");
		const add: Call = libc.func("int inotify_add_watch(int, const uint8_t *, uint32_t)");
		const remove: Call = libc.func("int inotify_rm_watch(int, int)");
		// Node counts what a thread opens, and warns when it closes something else.
		const close: Call = libc.func("int close(int)");
		const read: Call = libc.func("long read(int, _Out_ uint8_t *, size_t)");
		const queue = Number(init(IN_NONBLOCK | IN_CLOEXEC));
		if (queue < 0) return undefined;
		const buffer = Buffer.alloc(BUFFER_BYTES);
		return {
			add: (folder) => Number(add(queue, Buffer.concat([Buffer.from(folder), Buffer.of(0)]), MASK)),
			remove: (watch) => void remove(queue, watch),
			drain(onEvent) {
				let complete = true;
				for (let length = Number(read(queue, buffer, BUFFER_BYTES)); length > 0; length = Number(read(queue, buffer, BUFFER_BYTES))) {
					for (const event of eventsIn(buffer.subarray(0, length))) {
						if (event.mask & IN_Q_OVERFLOW) complete = false;
						else onEvent({ watch: event.watch, name: event.name, gone: (event.mask & (IN_IGNORED | IN_UNMOUNT)) !== 0 });
					}
				}
				return complete;
			},
			close: () => void close(queue),
		};
	} catch {
		// Without the native library everything is looked at each time: slower, and as right.
		return undefined;
	}
}

function* eventsIn(bytes: Buffer): Generator<{ watch: number; mask: number; name: string }> {
	for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
		const length = bytes.readUInt32LE(at + 12);
		const name = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
		const end = name.indexOf(0);
		yield { watch: bytes.readInt32LE(at), mask: bytes.readUInt32LE(at + 4), name: name.toString("latin1", 0, end < 0 ? length : end) };
		at += HEADER_BYTES + length;
	}
}
