const UNDO_MS = 6_000;

export interface PendingDeletes {
	/** Hides the conversation now and deletes it when the undo time is over. */
	schedule(id: string): void;
	/** Brings it back; false when it was too late. */
	undo(id: string): boolean;
	/** Ids hidden now. */
	pending(): ReadonlySet<string>;
	/** Forgets what waits: closing the page before the time is over keeps the conversation. */
	close(): void;
}

export interface PendingDeletesDeps {
	/** Rejects when the server did not delete; the conversation then comes back. */
	execute(id: string): Promise<void>;
	onChange(pending: ReadonlySet<string>): void;
	onFailure(id: string, error: unknown): void;
	setTimer(run: () => void, ms: number): () => void;
}

export function createPendingDeletes(deps: PendingDeletesDeps): PendingDeletes {
	const timers = new Map<string, () => void>();
	const hidden = new Set<string>();
	const changed = () => deps.onChange(new Set(hidden));

	async function run(id: string): Promise<void> {
		timers.delete(id);
		try {
			await deps.execute(id);
		} catch (error) {
			deps.onFailure(id, error);
		}
		hidden.delete(id);
		changed();
	}

	return {
		schedule(id) {
			if (hidden.has(id)) return;
			hidden.add(id);
			timers.set(
				id,
				deps.setTimer(() => void run(id), UNDO_MS),
			);
			changed();
		},
		undo(id) {
			const cancel = timers.get(id);
			if (cancel === undefined) return false;
			cancel();
			timers.delete(id);
			hidden.delete(id);
			changed();
			return true;
		},
		pending: () => new Set(hidden),
		close() {
			for (const cancel of timers.values()) cancel();
			timers.clear();
			hidden.clear();
		},
	};
}
