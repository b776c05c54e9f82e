/** A process that runs, or is about to. */
export interface SlotHolder {
	/** No turn runs in it. */
	isIdle(): boolean;
	/** Lets the process go; its place is free when this resolves. */
	leave(): Promise<void>;
}

/** A bound on the processes of an agent: the one that has been idle for longest leaves, and when all are busy one waits. */
export interface ProcessSlots {
	/** Resolves when there is a place. */
	take(holder: SlotHolder): Promise<void>;
	/** Gives the place back; twice is fine. */
	release(holder: SlotHolder): void;
	/** It is used now, so that another one is the oldest. */
	touch(holder: SlotHolder): void;
	/** A turn has ended: who waits may have its place. */
	idle(): void;
	readonly size: number;
}

export function createProcessSlots(max: number): ProcessSlots {
	/** The one that was used least recently first. */
	let holders: SlotHolder[] = [];
	let waiting: (() => void)[] = [];
	const leaving = new Set<SlotHolder>();

	function wakeNext(): void {
		const [next, ...rest] = waiting;
		waiting = rest;
		next?.();
	}

	function release(holder: SlotHolder): void {
		leaving.delete(holder);
		if (!holders.includes(holder)) return;
		holders = holders.filter((one) => one !== holder);
		wakeNext();
	}

	async function makeRoom(): Promise<void> {
		const oldest = holders.find((holder) => holder.isIdle() && !leaving.has(holder));
		if (oldest === undefined) {
			await new Promise<void>((resolve) => waiting.push(resolve));
			return;
		}
		leaving.add(oldest);
		await oldest.leave();
		release(oldest);
	}

	return {
		async take(holder) {
			while (holders.length >= max && !holders.includes(holder)) await makeRoom();
			if (!holders.includes(holder)) holders = [...holders, holder];
		},
		release,
		touch(holder) {
			if (holders.includes(holder)) holders = [...holders.filter((one) => one !== holder), holder];
		},
		idle: wakeNext,
		get size() {
			return holders.length;
		},
	};
}
