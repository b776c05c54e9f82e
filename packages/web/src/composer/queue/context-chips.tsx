import type { ContextItem } from "@rightseat/protocol/model/command";
import { Scissors, SquareTerminal, X } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Visible } from "../../ui/visible.tsx";
import { queueWords } from "./queue-messages.ts";

/** What "Shorten" leaves of a long result. */
const TRIM_CHARS = 2_000;

/** Results of `!cmd` that the next prompt will carry; each can be shortened or left out before that. */
export function ContextChips({ conversationId, items }: { conversationId: string; items: readonly ContextItem[] }) {
	const t = useWords(queueWords);
	const { dropContext, trimContext } = useActions();
	if (items.length === 0) return null;
	return (
		<section aria-label={t("context")} className="mb-2 flex flex-wrap items-center gap-1.5 px-1 text-xs">
			<span className="text-muted">{t("context")}</span>
			{items.map((item) => (
				<span key={item.messageId} className="flex max-w-full items-center gap-1.5 rounded-full border bg-surface py-0.5 pr-0.5 pl-2.5">
					<SquareTerminal size={13} aria-hidden className="shrink-0 text-muted" />
					<code className="max-w-44 truncate">
						<Visible text={item.command} />
					</code>
					{item.exitCode !== 0 && item.exitCode !== null && (
						<span className="shrink-0 text-danger">{t("exit", { code: item.exitCode })}</span>
					)}
					<span className="shrink-0 text-muted tabular-nums">{t("chars", { count: item.chars })}</span>
					{item.chars > TRIM_CHARS && (
						<button
							type="button"
							className="grid size-6 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
							aria-label={t("shorten", { command: item.command, count: TRIM_CHARS })}
							title={t("shorten", { command: item.command, count: TRIM_CHARS })}
							onClick={(event) => {
								if (event.detail === 0) document.getElementById("message")?.focus();
								trimContext(conversationId, item.messageId, TRIM_CHARS);
							}}
						>
							<Scissors size={13} aria-hidden />
						</button>
					)}
					<button
						type="button"
						className="grid size-6 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
						aria-label={t("leaveOut", { command: item.command })}
						title={t("leaveOut", { command: item.command })}
						onClick={(event) => {
							// By keyboard: the focus must not vanish with the chip. A finger would only get a keyboard it did not ask for.
							if (event.detail === 0) document.getElementById("message")?.focus();
							dropContext(conversationId, item.messageId);
						}}
					>
						<X size={13} aria-hidden />
					</button>
				</span>
			))}
		</section>
	);
}
