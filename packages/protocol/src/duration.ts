/** How the parts of a duration are written, each after its number. */
export interface DurationUnits {
	millisecond: string;
	second: string;
	minute: string;
	hour: string;
}

const SYMBOLS: DurationUnits = { millisecond: " ms", second: " s", minute: " min", hour: " h" };

/** The same in Traditional Chinese. */
export const CHINESE_DURATION_UNITS: DurationUnits = { millisecond: " 毫秒", second: " 秒", minute: " 分", hour: " 小時" };

/** How long something took: 840 ms, 3.2 s, 1 min 5 s, 2 h 3 min. */
export function formatDuration(ms: number, units: DurationUnits = SYMBOLS): string {
	if (ms < 1_000) return `${Math.max(0, Math.round(ms))}${units.millisecond}`;
	return ms < 10_000 ? `${(ms / 1_000).toFixed(1)}${units.second}` : formatElapsed(ms, units);
}

/** How long something lasts so far, in whole seconds: 0 s, 8 s, 1 min 5 s, 2 h 3 min. */
export function formatElapsed(ms: number, units: DurationUnits = SYMBOLS): string {
	const seconds = Math.max(0, Math.round(ms / 1_000));
	if (seconds < 60) return `${seconds}${units.second}`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes}${units.minute} ${seconds % 60}${units.second}`;
	return `${Math.floor(minutes / 60)}${units.hour} ${minutes % 60}${units.minute}`;
}
