/** The value below which this share of the values lies; between two values, the line between them. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = Float64Array.from(values).sort();
	const place = share * (sorted.length - 1);
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	if (below === undefined || above === undefined) throw new Error("There are no measurements.");
	return below + (above - below) * (place - Math.floor(place));
}

export const median = (values: readonly number[]) => percentile(values, 0.5);

/** Half of the distance from the smallest to the largest value, over the median; 0 for a single one. */
export function spread(values: readonly number[]): number {
	const middle = median(values);
	return middle === 0 ? 0 : (percentile(values, 1) - percentile(values, 0)) / 2 / middle;
}
