/** One look at the server and what belongs to it during a soak. */
export interface Sample {
	/** Since the soak began; a busy machine may take more than one for a round. */
	minute: number;
	/** Whose values these are: a process that was started again begins anew. */
	pids: Partial<Record<Owner, number | undefined>>;
	values: Partial<Record<Measure, number | undefined>>;
}

export type Owner = "server" | "runtime" | "shell" | "recorder";

export type Measure =
	| `${Owner}Megabytes`
	| `${Owner}Descriptors`
	/** The server and everything below it. */
	| "processes"
	| "databaseMegabytes"
	| "walMegabytes"
	/** What the shell keeps of long outputs, which has a bound of its own. */
	| "keptMegabytes"
	/** The rest of the home directory. */
	| "otherMegabytes";

export interface Slope {
	name: Measure;
	/** Growth per hour: the median of the slopes between all pairs of samples of the same process, which a few odd ones do not move. */
	perHour: number;
	/** What it grew by that slope while it was looked at. */
	grown: number;
	/** The most that was seen, from the first minute on. */
	most: number;
	limit: Limit;
	/** How many looks after warming up had a value. */
	looks: number;
	isGood: boolean;
}

/** Either it may not rise by more than this in an hour, unless that cannot be told from chance; or it may rise, and has a bound. */
export type Limit = { kind: "slope"; perHour: number; noise: number } | { kind: "bound"; most: number };

/** Longest time that counts as warming up; in a short soak half of it does. */
export const WARM_UP_MINUTES = 30;
/** With fewer looks nothing was measured. */
const MIN_LOOKS = 3;

const LIMITS: Record<Measure, { owner?: Owner; limit: Limit }> = {
	serverMegabytes: { owner: "server", limit: { kind: "slope", perHour: 20, noise: 12 } },
	serverDescriptors: { owner: "server", limit: { kind: "slope", perHour: 5, noise: 2 } },
	// It grows by itself with every conversation, and is replaced by a fresh one when it is larger than RIGHTSEAT_RUNTIME_MEMORY_MB (1,024).
	runtimeMegabytes: { owner: "runtime", limit: { kind: "bound", most: 1_200 } },
	runtimeDescriptors: { owner: "runtime", limit: { kind: "slope", perHour: 10, noise: 5 } },
	shellMegabytes: { owner: "shell", limit: { kind: "slope", perHour: 15, noise: 20 } },
	shellDescriptors: { owner: "shell", limit: { kind: "slope", perHour: 5, noise: 2 } },
	// It has a thread and some nine descriptors for each folder in which somebody worked within half an hour, of 16 folders at most (`ROOT_LIMITS`).
	recorderMegabytes: { owner: "recorder", limit: { kind: "bound", most: 300 } },
	recorderDescriptors: { owner: "recorder", limit: { kind: "bound", most: 200 } },
	processes: { limit: { kind: "slope", perHour: 1, noise: 0.9 } },
	// What people said is kept.
	databaseMegabytes: { limit: { kind: "slope", perHour: 40, noise: 8 } },
	walMegabytes: { limit: { kind: "bound", most: 128 } },
	keptMegabytes: { limit: { kind: "bound", most: 512 } },
	otherMegabytes: { limit: { kind: "slope", perHour: 60, noise: 10 } },
};

/** Whether the server and what belongs to it stay as they are, or slowly fill up. */
export function slopesOf(samples: readonly Sample[]): Slope[] {
	const late = afterWarmUp(samples);
	const hours = ((late.at(-1)?.minute ?? 0) - (late[0]?.minute ?? 0)) / 60;
	return MEASURES.map((name) => {
		const { owner, limit } = LIMITS[name];
		const points = late.flatMap(({ minute, pids, values }) => {
			const value = values[name];
			return value === undefined ? [] : [{ minute, value, process: owner === undefined ? 0 : (pids[owner] ?? 0) }];
		});
		const perHour = 60 * medianSlope(points);
		const grown = perHour * hours;
		const most = Math.max(0, ...samples.flatMap(({ values }) => values[name] ?? []));
		const isFlat = limit.kind === "bound" ? most <= limit.most : perHour <= limit.perHour || grown <= limit.noise;
		return { name, perHour, grown, most, limit, looks: points.length, isGood: isFlat && points.length >= Math.min(MIN_LOOKS, late.length) };
	});
}

export const MEASURES: readonly Measure[] = [
	...(["serverMegabytes", "serverDescriptors", "runtimeMegabytes", "runtimeDescriptors", "shellMegabytes", "shellDescriptors"] as const),
	...(["recorderMegabytes", "recorderDescriptors", "processes", "databaseMegabytes", "walMegabytes", "keptMegabytes"] as const),
	"otherMegabytes",
];

export function afterWarmUp(samples: readonly Sample[]): readonly Sample[] {
	const last = samples.at(-1)?.minute ?? 0;
	return samples.filter((sample) => sample.minute >= Math.min(WARM_UP_MINUTES, last / 2));
}

function medianSlope(points: readonly { minute: number; value: number; process: number }[]): number {
	const slopes = points.flatMap((from, index) =>
		points
			.slice(index + 1)
			.flatMap((to) =>
				to.minute === from.minute || to.process !== from.process ? [] : [(to.value - from.value) / (to.minute - from.minute)],
			),
	);
	return slopes.sort((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0;
}
