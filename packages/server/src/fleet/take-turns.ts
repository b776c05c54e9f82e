/** Reads under way at once, of one host and of all: more would wait in the other host instead, until their time is over. */
const MAX_READS_OF_HOST = 4;
const MAX_READS = 32;

/** Runs what is given to it, a few at a time: of each host so many, and of all. The rest wait here in their order. */
export type TakeTurns = <T>(host: string, run: () => Promise<T>) => Promise<T>;

/** What waits is as much as is looked at: each conversation has one read under way or waiting. */
export function createTakeTurns(limits = { ofHost: MAX_READS_OF_HOST, all: MAX_READS }): TakeTurns {
	const waiting: { host: string; begin: () => void }[] = [];
	const underWay = new Map<string, number>();
	let all = 0;
	const isFree = (host: string) => all < limits.all && (underWay.get(host) ?? 0) < limits.ofHost;
	function count(host: string, change: 1 | -1): void {
		const next = (underWay.get(host) ?? 0) + change;
		all += change;
		if (next === 0) underWay.delete(host);
		else underWay.set(host, next);
	}
	function next(): void {
		const place = waiting.findIndex(({ host }) => isFree(host));
		if (place >= 0) waiting.splice(place, 1)[0]?.begin();
	}
	return async (host, run) => {
		if (!isFree(host)) await new Promise<void>((resolve) => void waiting.push({ host, begin: () => begun(resolve) }));
		else count(host, 1);
		try {
			return await run();
		} finally {
			count(host, -1);
			next();
		}
		// It counts from here on, so that nobody takes its place before it runs.
		function begun(resolve: () => void): void {
			count(host, 1);
			resolve();
		}
	};
}
