import type { Language } from "../i18n/words.ts";

/** A countdown: 1:05. */
export function formatClock(ms: number): string {
	const seconds = Math.max(0, Math.ceil(ms / 1_000));
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** 14:05 today, with the date on other days. */
export function formatTime(iso: string, language: Language, now: Date = new Date()): string {
	const date = new Date(iso);
	if (Number.isNaN(date.getTime())) return "";
	const time = date.toLocaleTimeString(language, { hour: "numeric", minute: "2-digit" });
	if (date.toDateString() === now.toDateString()) return time;
	const year = date.getFullYear() === now.getFullYear() ? undefined : ("numeric" as const);
	return `${date.toLocaleDateString(language, { month: "short", day: "numeric", ...(year === undefined ? {} : { year }) })} ${time}`;
}

/** 950, 12.4K, 1.2M. */
export function formatCount(count: number): string {
	if (count < 1_000) return String(count);
	if (count < 100_000) return `${(count / 1_000).toFixed(1).replace(/\.0$/, "")}K`;
	if (count < 1_000_000) return `${Math.round(count / 1_000)}K`;
	return `${(count / 1_000_000).toFixed(1)}M`;
}
