/** One look at the server during a soak. */
export interface Sample {
	minute: number;
	megabytes: number;
	descriptors: number;
	processes: number;
	/** Of the home directory, without what people said. */
	diskMegabytes: number;
}

export interface Slope {
	name: string;
	/** Growth per hour, by the least squares over the second half: the first half is warming up. */
	perHour: number;
	limit: number;
	flat: boolean;
}

const LIMITS = { megabytes: 20, descriptors: 5, processes: 1, diskMegabytes: 60 };

/** Whether the server stays as it is, or slowly fills up. */
export function slopesOf(samples: readonly Sample[]): Slope[] {
	const late = samples.slice(Math.floor(samples.length / 2));
	return ([["megabytes"], ["descriptors"], ["processes"], ["diskMegabytes"]] as const).map(([name]) => {
		const perHour = 60 * slope(late.map((sample) => [sample.minute, sample[name]]));
		return { name, perHour, limit: LIMITS[name], flat: perHour <= LIMITS[name] };
	});
}

function slope(points: [number, number][]): number {
	const meanX = mean(points.map(([x]) => x));
	const meanY = mean(points.map(([, y]) => y));
	const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
	return spread === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
