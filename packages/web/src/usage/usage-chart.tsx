import type { UsageRow } from "@rightseat/protocol/http/usage";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { usageWords } from "./usage-messages.ts";

const HEIGHT = 72;
const STEP = 10;

/** A bar for each day, the newest on the right; said in one sentence to whoever does not see it. */
export function UsageChart({ days, rows }: { days: readonly string[]; rows: readonly UsageRow[] }) {
	const t = useWords(usageWords);
	const language = useLanguage();
	const tokens = new Map(rows.map((row) => [row.key, row.inputTokens + row.outputTokens]));
	const bars = days.map((day) => ({ day, used: tokens.get(day) ?? 0 }));
	const total = bars.reduce((sum, { used }) => sum + used, 0);
	const most = bars.reduce((best, bar) => (bar.used > best.used ? bar : best), { day: "", used: 0 });
	const label =
		total === 0 ? t("chartEmpty", { days: days.length }) : t("chart", { days: days.length, total, day: most.day, most: most.used });
	return (
		<svg role="img" aria-label={label} viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} className="h-24 w-full" preserveAspectRatio="none">
			<line x1="0" x2={days.length * STEP} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="currentColor" strokeOpacity="0.25" />
			{bars.map(({ day, used }, index) => {
				const height = used === 0 ? 0 : Math.max(2, (used / most.used) * (HEIGHT - 4));
				return (
					<rect key={day} x={index * STEP + 1} y={HEIGHT - height} width={STEP - 2} height={height} rx="1" className="fill-accent">
						<title>{`${day}: ${used.toLocaleString(language)}`}</title>
					</rect>
				);
			})}
		</svg>
	);
}

/** The last days of the server's calendar as far as this device knows it, the oldest first. */
export function lastDays(count: number, now: number): string[] {
	return Array.from({ length: count }, (_, index) => {
		const date = new Date(now);
		date.setDate(date.getDate() - (count - 1 - index));
		const two = (value: number) => String(value).padStart(2, "0");
		return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	});
}
