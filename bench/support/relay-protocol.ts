/** What a benchmark and the relay it measures, each in its own process, say to each other. */
export interface Emission {
	streams: number;
	perSecond: number;
	seconds: number;
}

export interface Ready {
	url: string;
	headers: Record<string, string>;
	/** One per stream. */
	conversationIds: string[];
	/** Its memory before anything is played. */
	rssMb: number;
}

export interface Emitted {
	tokens: number;
	/** CPU time of the relay, all threads. */
	cpuMs: number;
	rssMb: number;
	/** Time that the main thread spent in the store, where that was measured. */
	storageMs?: number;
}

/** Wall-clock milliseconds with a fraction, comparable between processes of one machine. */
export const stampMs = () => performance.timeOrigin + performance.now();

/** Calls `emit` for every token when it is due; a late wake-up emits all that are due, so the rate holds on a busy machine. */
export async function paced({ streams, perSecond, seconds }: Emission, emit: (stream: number, text: string) => void): Promise<number> {
	const each = Math.round(perSecond * seconds);
	await Promise.all(
		Array.from({ length: streams }, async (_, stream) => {
			// Streams of a real day do not beat in time.
			const begin = performance.now() + (stream / streams) * (1_000 / perSecond);
			for (let sent = 0; sent < each; ) {
				const due = Math.min(each, Math.floor(((performance.now() - begin) * perSecond) / 1_000) + 1);
				for (; sent < due; sent += 1) emit(stream, `${stampMs().toFixed(3)} `);
				if (sent < each)
					await new Promise((resolve) => setTimeout(resolve, Math.max(0, begin + (sent * 1_000) / perSecond - performance.now())));
			}
		}),
	);
	return each * streams;
}
