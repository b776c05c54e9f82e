import { Clock } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { formatClock } from "../format.ts";
import { useNow } from "../use-now.ts";
import { cardWords } from "./card-messages.ts";

/** Not a live region: a clock that is read aloud every second is noise. */
export function Countdown({ until }: { until: string }) {
	const t = useWords(cardWords);
	const now = useNow(true);
	const left = Date.parse(until) - now;
	return (
		<span className={left < 30_000 ? "ask-clock text-warn" : "ask-clock"} role="timer" aria-live="off">
			<Clock size={13} aria-hidden />
			{t("timeLeft", { time: formatClock(left) })}
		</span>
	);
}
