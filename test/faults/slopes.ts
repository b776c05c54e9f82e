/** One look at the server during a soak. */
export interface Sample {
	minute: number;
	megabytes: number;
	descriptors: number;
	/** Of the server, the runtime and the shell. */
	processes: number;
	/** Of the home directory without what the shell keeps of long outputs, which has a bound of its own. */
	diskMegabytes: number;
}

export interface Slope {
	name: Measure;
	/** Growth per hour: the median of the slopes between all pairs of samples, which a few odd ones do not move. */
	perHour: number;
	/** What it grew by that slope while it was looked at. */
	grown: number;
	limit: number;
	/** Less than this in all cannot be told from chance. */
	noise: number;
	flat: boolean;
}

type Measure = Exclude<keyof Sample, "minute">;

/** Longest time that counts as warming up; in a short soak half of it does. */
export const WARM_UP_MINUTES = 30;

/** How much an hour may add, and what is too little to be told from noise. */
const LIMITS: Record<Measure, { perHour: number; noise: number }> = {
	megabytes: { perHour: 20, noise: 12 },
	descriptors: { perHour: 5, noise: 2 },
	processes: { perHour: 1, noise: 0.9 },
	diskMegabytes: { perHour: 60, noise: 10 },
};

/** Whether the server stays as it is, or slowly fills up. */
export function slopesOf(samples: readonly Sample[]): Slope[] {
	const late = afterWarmUp(samples);
	const hours = ((late.at(-1)?.minute ?? 0) - (late[0]?.minute ?? 0)) / 60;
	return (["megabytes", "descriptors", "processes", "diskMegabytes"] as const).map((name) => {
		const perHour = 60 * medianSlope(late.map((sample) => [sample.minute, sample[name]]));
		const grown = perHour * hours;
		const { perHour: limit, noise } = LIMITS[name];
		return { name, perHour, grown, limit, noise, flat: perHour <= limit || grown <= noise };
	});
}

export function afterWarmUp(samples: readonly Sample[]): readonly Sample[] {
	const last = samples.at(-1)?.minute ?? 0;
	return samples.filter((sample) => sample.minute >= Math.min(WARM_UP_MINUTES, last / 2));
}

function medianSlope(points: [number, number][]): number {
	const slopes = points.flatMap(([x, y], index) =>
		points.slice(index + 1).flatMap(([otherX, otherY]) => (otherX === x ? [] : [(otherY - y) / (otherX - x)])),
	);
	return slopes.sort((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0;
}
