/** Calls remembered; each result has at most the 30,000 characters that a tool may say. */
export const MAX_REMEMBERED = 32;

/** Runs each call once, and gives its result again to whoever delivers the same call a second time. */
export interface RunOnce<T> {
	run(call: { id: string; fingerprint: string }, work: () => Promise<T>): Promise<T>;
	/** A new call begins under this id: some models use the same ids over and over. */
	forget(id: string): void;
}

/** The runtime delivers a sub-agent's call of our tools twice; a fast one would run twice. */
export function createRunOnce<T>(): RunOnce<T> {
	const known = new Map<string, { fingerprint: string; result: Promise<T> }>();
	return {
		run({ id, fingerprint }, work) {
			const before = known.get(id);
			if (before?.fingerprint === fingerprint) return before.result;
			const result = work();
			known.delete(id);
			known.set(id, { fingerprint, result });
			for (const oldest of known.keys()) {
				if (known.size <= MAX_REMEMBERED) break;
				known.delete(oldest);
			}
			return result;
		},
		forget: (id) => void known.delete(id),
	};
}
