import type { Cancel, Clock } from "../../../core/kernel/clock.ts";

export const PING_EVERY_MS = 1_000;
/** Together with the interval below the five seconds within which a frozen runtime must be noticed. */
export const PING_LIMIT_MS = 3_000;
/** Processor time within one wait that shows a runtime at work, and how long that alone is taken for a sign of life. */
const BUSY_CPU_MS = 100;
export const BUSY_LIMIT_MS = 60_000;
/** A timer this late means that this process itself was held up, so a missing answer says nothing about the runtime. */
const OWN_DELAY_MS = 1_000;

export interface HeartbeatDeps {
	ping(): Promise<unknown>;
	lastSignAt(): number;
	/** Processor time that the runtime has spent so far; undefined where it cannot be found out. */
	cpuMs(): Promise<number | undefined>;
	clock: Clock;
	onDeath(because: string): void;
}

/**
 * Pings for as long as the runtime lives. Calls `onDeath` at most once. A missing answer alone is no death: one conversation may keep the
 * runtime so busy that it answers nobody for a while, and every other turn would end with it. A frozen one spends no processor time.
 */
export function startHeartbeat(deps: HeartbeatDeps): Cancel {
	const { clock } = deps;
	let over = false;
	let busySince: number | undefined;
	let cancelTimer: Cancel = () => undefined;

	const end = (because: string) => {
		if (over) return;
		stop();
		deps.onDeath(because);
	};
	const stop = () => {
		over = true;
		cancelTimer();
	};
	const later = () => {
		if (!over) cancelTimer = clock.after(PING_EVERY_MS, probe);
	};
	function probe() {
		let settled = false;
		const askedAt = clock.elapsed();
		const before = deps.cpuMs();
		cancelTimer = clock.after(PING_LIMIT_MS, () => {
			const late = clock.elapsed() - askedAt - PING_LIMIT_MS > OWN_DELAY_MS;
			// The answer may lie in the pipe, unread because this process was busy.
			cancelTimer = clock.soon(() => {
				if (settled || over) return;
				settled = true;
				if (late || deps.lastSignAt() > askedAt) probe();
				else void judge(askedAt, before);
			});
		});
		deps.ping().then(
			() => {
				if (settled || over) return;
				settled = true;
				busySince = undefined;
				cancelTimer();
				later();
			},
			() => {
				if (settled) return;
				settled = true;
				end("its process ended");
			},
		);
	}
	async function judge(askedAt: number, before: Promise<number | undefined>) {
		const [spent, now] = await Promise.all([before, deps.cpuMs()]);
		if (over) return;
		busySince ??= askedAt;
		const busy = spent !== undefined && now !== undefined && now - spent >= BUSY_CPU_MS;
		if (busy && clock.elapsed() - busySince < BUSY_LIMIT_MS) probe();
		else end(`no answer for ${Math.round((clock.elapsed() - busySince) / 1000)} s`);
	}
	later();
	return stop;
}
