import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** More than the shell may keep of one conversation's output, or a long soak would fill it by what is allowed. */
const SIZE_MB = 1_000;

/** A small disk of our own for the server's home, as real as this machine permits. */
export interface Disk {
	readonly home: string;
	/** Outside of it, for what must be written when it is full. */
	readonly beside: string;
	/** `ext4`: a file system in a file; `tmpfs`: one in memory; `none`: a directory like any other, and writes are refused by a limit instead. */
	readonly kind: "ext4" | "tmpfs" | "none";
	/** Takes every free byte. */
	fill(): void;
	free(): void;
	/** Not even root can write these files, nor can a process that has them open already. */
	setImmutable(files: readonly string[], on: boolean): void;
	remove(): void;
}

export function createDisk(): Disk {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-disk-"));
	const mountPoint = join(folder, "disk");
	const home = join(mountPoint, "home");
	mkdirSync(mountPoint);
	const kind = mountExt4(join(folder, "image"), mountPoint) ? "ext4" : mountTmpfs(mountPoint) ? "tmpfs" : "none";
	mkdirSync(home, { mode: 0o700 });
	const filler = join(mountPoint, "filler");
	const unmount = () => {
		if (kind !== "none") spawnSync("umount", ["-l", mountPoint]);
	};
	process.once("exit", unmount);
	// A signal alone would end the process without that, and leave a mounted disk behind.
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
	return {
		home,
		beside: folder,
		kind,
		fill() {
			// The last blocks are given out only one by one: write until the disk itself says no.
			const piece = Buffer.alloc(4_096);
			const { bavail, bsize } = statfsSync(mountPoint);
			try {
				execFileSync("fallocate", ["-l", String(Math.max(1, bavail - 64) * bsize), filler]);
				for (;;) writeFileSync(filler, piece, { flag: "a" });
			} catch (error) {
				if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
			}
		},
		free: () => rmSync(filler, { force: true }),
		setImmutable(files, on) {
			execFileSync("chattr", [on ? "+i" : "-i", ...files]);
		},
		remove() {
			process.off("exit", unmount);
			unmount();
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

function mountExt4(image: string, at: string): boolean {
	return (
		succeeds("truncate", ["-s", `${SIZE_MB}M`, image]) &&
		succeeds("mkfs.ext4", ["-q", "-F", "-m", "0", image]) &&
		succeeds("mount", ["-o", "loop", image, at])
	);
}

const mountTmpfs = (at: string) => succeeds("mount", ["-t", "tmpfs", "-o", `size=${SIZE_MB}m`, "tmpfs", at]);
const succeeds = (command: string, args: string[]) => spawnSync(command, args, { stdio: "ignore" }).status === 0;
