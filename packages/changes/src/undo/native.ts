import { closeSync, openSync } from "node:fs";

/** System calls that Node does not offer. Without the native library undo works with one step more, in which a name is missing for a moment. */
export interface Native {
	/** Swaps what two names stand for, in one step. Returns the error's code; `ENOSYS` where that cannot be done. */
	exchange(one: string | Buffer, other: string | Buffer): string;
	/** Renames without ever replacing what is there. Returns the error's code. */
	renameNew(from: string | Buffer, to: string | Buffer): string;
	/** Extended attributes, access lists among them: a new file would not have them. */
	hasAttributes(path: string | Buffer): boolean;
	/** Brings everything on the disk of this folder (latin1) to it. Tries to. */
	syncDisk(folder: string): void;
}

const AT_FDCWD = -100;
const RENAME_NOREPLACE = 1;
const RENAME_EXCHANGE = 2;
const MAX_NAMES_BYTES = 4_096;

export async function loadNative(): Promise<Native> {
	if (process.platform !== "linux") return withoutNative;
	try {
		const { default: koffi } = await import("koffi");
		const libc = koffi.load(null);
		const renameat2: Call = libc.func("int renameat2(int, const uint8_t *, int, const uint8_t *, uint)");
		const listxattr: Call = libc.func("long llistxattr(const uint8_t *, _Out_ uint8_t *, size_t)");
		const syncfs: Call = libc.func("int syncfs(int)");
		const codes = new Map(Object.entries(koffi.os.errno).map(([code, number]) => [number, code]));
		const rename = (from: string | Buffer, to: string | Buffer, flags: number) => {
			if (renameat2(AT_FDCWD, ended(from), AT_FDCWD, ended(to), flags) === 0) return "";
			const code = codes.get(koffi.errno()) ?? "EIO";
			return code === "EINVAL" || code === "EOPNOTSUPP" ? "ENOSYS" : code;
		};
		return {
			exchange: (one, other) => rename(one, other, RENAME_EXCHANGE),
			renameNew: (from, to) => rename(from, to, RENAME_NOREPLACE),
			hasAttributes(path) {
				const names = Buffer.alloc(MAX_NAMES_BYTES);
				const length = Number(listxattr(ended(path), names, names.length));
				if (length < 0) return codes.get(koffi.errno()) === "ERANGE";
				// Every file of such a system has this one, and a new file gets its own.
				return names
					.toString("latin1", 0, length)
					.split("\0")
					.some((name) => name !== "" && name !== "security.selinux");
			},
			syncDisk(folder) {
				const held = openSync(Buffer.from(folder, "latin1"), "r");
				syncfs(held);
				closeSync(held);
			},
		};
	} catch {
		return withoutNative;
	}
}

type Call = (...args: unknown[]) => unknown;

/** As C wants it. */
const ended = (path: string | Buffer): Buffer => Buffer.concat([Buffer.from(path), Buffer.of(0)]);

/** What Node alone can do. */
export const withoutNative: Native = {
	exchange: () => "ENOSYS",
	renameNew: () => "ENOSYS",
	hasAttributes: () => false,
	syncDisk: () => undefined,
};
