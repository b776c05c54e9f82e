import { formatDuration } from "@rightseat/protocol/duration";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { DURATION_UNITS } from "../../i18n/duration-units.ts";
import { useLanguage, useWords } from "../../i18n/use-words.tsx";
import { Markdown } from "../../markdown/markdown.tsx";
import { useApp } from "../../state/use-page.tsx";
import { transcriptWords } from "../transcript-messages.ts";

/** What the model thought, folded, with its time. */
export function Reasoning({ content, durationMs, growing }: { content: string; durationMs: number | undefined; growing: boolean }) {
	const t = useWords(transcriptWords);
	const language = useLanguage();
	const wanted = useApp((state) => state.settings.showReasoning);
	const [open, setOpen] = useState(wanted);
	const title = growing
		? t("thinking")
		: durationMs === undefined || durationMs < 1_000
			? t("thought")
			: t("thoughtFor", { time: formatDuration(durationMs, DURATION_UNITS[language]) });
	return (
		<details className="reasoning" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary>
				<ChevronRight size={15} className="fold-mark" aria-hidden />
				<span className={growing ? "pulse-dot" : undefined}>{title}</span>
			</summary>
			{open && (
				<div className="reasoning-text">
					<Markdown text={content} growing={growing} />
				</div>
			)}
		</details>
	);
}
