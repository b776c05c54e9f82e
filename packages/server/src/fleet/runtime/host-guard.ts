import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import { type Lease, RENEW_MS } from "../lease/lease.ts";

/** Sees to it that this identity is used once: a disk that was copied has it twice. */
export interface HostGuard {
	/** This run is the host. Stays so while the engine is away: nobody else can have become it meanwhile without being seen. */
	isServing(): boolean;
	/** Higher than that of every run before it; undefined until this one serves. */
	run(): number | undefined;
	/** Another run that is alive has this identity. */
	usedBy(): string | undefined;
	/** The engine is there now. */
	look(): void;
	/** Others may have it at once. */
	close(): Promise<void>;
}

export function createHostGuard(lease: Lease, deps: { clock: Pick<Clock, "after">; onChange: () => void }): HostGuard {
	let [isServing, isClosed] = [false, false];
	let [usedBy, run]: [string | undefined, number | undefined] = [undefined, undefined];
	let cancel: Cancel = () => undefined;
	let isStepping = false;
	async function step(): Promise<void> {
		isStepping = true;
		await lease.step();
		isStepping = false;
		if (isClosed) return;
		const other = lease.other();
		const before = `${isServing} ${usedBy}`;
		run = lease.fence() ?? run;
		if (lease.fence() !== undefined) isServing = true;
		else if (other?.isAlive === true) isServing = false;
		usedBy = other?.isAlive === true ? other.holder : undefined;
		if (`${isServing} ${usedBy}` !== before) deps.onChange();
		cancel = deps.clock.after(RENEW_MS, () => void step());
	}
	void step();
	return {
		isServing: () => isServing,
		run: () => run,
		usedBy: () => usedBy,
		look() {
			if (isStepping || isClosed) return;
			cancel();
			void step();
		},
		async close() {
			isClosed = true;
			cancel();
			await lease.release();
		},
	};
}

/** A lease that is looked after until it is closed. */
export function keepLease(lease: Lease, clock: Pick<Clock, "after">): { fence(): number | undefined; close(): Promise<void> } {
	let isClosed = false;
	let cancel: Cancel = () => undefined;
	const step = async () => {
		await lease.step();
		if (!isClosed) cancel = clock.after(RENEW_MS, () => void step());
	};
	void step();
	return {
		fence: lease.fence,
		async close() {
			isClosed = true;
			cancel();
			await lease.release();
		},
	};
}
