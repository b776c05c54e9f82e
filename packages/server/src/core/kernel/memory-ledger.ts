/** Most bytes of buffers, rings and copies when nothing is configured. */
const DEFAULT_LIMIT_BYTES = 128 * 1_048_576;

/** One user of memory, such as the rings of all conversations or the sockets' buffers. */
export interface MemoryAccount {
	/** Counts what is held anyway; negative when it is let go. Over the limit, the accounts that can are asked to free some. */
	add(bytes: number): void;
	/** Counts it only if it fits, after the others were asked to free some; false: refuse what needs it. Give it back with `add(-bytes)`. */
	reserve(bytes: number): boolean;
	bytes(): number;
}

/** What an account does when the total is reached: `free` lets go of about so many bytes. Lower `order` is asked first. */
export interface Shrinking {
	order: number;
	/** Gives how many bytes it let go of, also those that are counted down only a moment later. */
	free(bytes: number): number;
}

export interface MemoryUsage {
	limitBytes: number;
	usedBytes: number;
	/** The high-water mark since the start. */
	peakBytes: number;
	accounts: Record<string, number>;
}

/** One bound in bytes over everything that grows with use. Rings shrink first, then slow readers are cut, then what is new is refused. */
export interface MemoryLedger {
	account(name: string, shrinking?: Shrinking): MemoryAccount;
	usage(): MemoryUsage;
}

export function createMemoryLedger(limitBytes = DEFAULT_LIMIT_BYTES): MemoryLedger {
	const accounts = new Map<string, { bytes: number }>();
	const shrinkers: Shrinking[] = [];
	let used = 0;
	let peak = 0;
	let isShrinking = false;

	/** An account that frees counts itself down, which must not ask for more. */
	function shrink(): void {
		if (isShrinking) return;
		isShrinking = true;
		try {
			let over = used - limitBytes;
			for (const { free } of shrinkers) {
				if (over <= 0) break;
				over -= free(over);
			}
		} finally {
			isShrinking = false;
		}
	}
	function count(entry: { bytes: number }, bytes: number): void {
		entry.bytes += bytes;
		used += bytes;
		if (bytes > 0 && used > limitBytes) shrink();
	}

	return {
		account(name, shrinking) {
			const entry = accounts.get(name) ?? { bytes: 0 };
			accounts.set(name, entry);
			if (shrinking !== undefined) {
				shrinkers.push(shrinking);
				shrinkers.sort((a, b) => a.order - b.order);
			}
			return {
				add(bytes) {
					count(entry, bytes);
					// While others free theirs it is on its way down.
					if (!isShrinking) peak = Math.max(peak, used);
				},
				reserve(bytes) {
					count(entry, bytes);
					if (used <= limitBytes) {
						peak = Math.max(peak, used);
						return true;
					}
					count(entry, -bytes);
					return false;
				},
				bytes: () => entry.bytes,
			};
		},
		usage: () => ({
			...{ limitBytes, usedBytes: used, peakBytes: peak },
			accounts: Object.fromEntries([...accounts].map(([name, { bytes }]) => [name, bytes])),
		}),
	};
}
