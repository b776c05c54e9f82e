/** The highest fencing number of each lease that this host has ever seen. It must outlive the process and the engine: a deleted bucket counts from one again. */
export interface Fences {
	highest(lease: string): number;
	/** False: a later holder was seen before, and whoever comes with this number is not the holder any more. */
	pass(lease: string, number: number): boolean;
}

/** Leases that are known at once. */
export const MAX_FENCES = 64;

/** `keep` brings a new number to the disk before it counts. */
export function createFences(known: ReadonlyMap<string, number>, keep: (lease: string, number: number) => void): Fences {
	const highest = new Map(known);
	return {
		highest: (lease) => highest.get(lease) ?? 0,
		pass(lease, number) {
			const seen = highest.get(lease);
			if (seen !== undefined && number < seen) return false;
			if (seen === undefined && highest.size >= MAX_FENCES) return false;
			if (number === seen) return true;
			keep(lease, number);
			highest.set(lease, number);
			return true;
		},
	};
}
