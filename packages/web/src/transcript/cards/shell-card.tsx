import { formatDuration } from "@rightseat/protocol/duration";
import { RotateCcw, Square } from "lucide-react";
import type { ReactNode } from "react";
import { DURATION_UNITS } from "../../i18n/duration-units.ts";
import { useLanguage, useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Visible } from "../../ui/visible.tsx";
import { useNow } from "../use-now.ts";
import { cardWords } from "./card-messages.ts";
import { OutputText } from "./output-text.tsx";

export interface ShellCardProps {
	conversationId: string;
	command: string;
	cwd: string;
	output: string;
	state: { kind: "running"; execId: string; startedAt: string } | { kind: "done"; exitCode: number | null; durationMs: number | undefined };
	truncated: boolean;
	/** Command or output stand here only in part: neither is copied or run again. */
	partial?: boolean;
	/** What becomes of the output, below it. */
	children?: ReactNode;
}

/** A person's `!cmd`: prompt line, output, how it ended. */
export function ShellCard({ conversationId, command, cwd, output, state, truncated, partial = false, children }: ShellCardProps) {
	const t = useWords(cardWords);
	const { handleBashSend, killExec } = useActions();
	const running = state.kind === "running";
	return (
		<div className="shell">
			<div className="shell-head">
				<code className="shell-prompt">
					<span className="shell-cwd">{shortPath(cwd)}</span>
					<span className="shell-sign"> $ </span>
					<Visible text={command} />
				</code>
				<Ending state={state} />
				{!partial && <CopyButton label={t("copyOutput")} text={() => output} />}
				{running && <IconButton small label={t("kill")} icon={<Square size={14} />} onClick={() => killExec(state.execId)} />}
				{!running && !partial && (
					<IconButton
						small
						label={t("runAgain")}
						icon={<RotateCcw size={14} />}
						onClick={() => void handleBashSend(command, conversationId)}
					/>
				)}
			</div>
			{output === "" ? !running && <p className="shell-empty">{t("noOutput")}</p> : <OutputText text={output} live={running} />}
			{truncated && <p className="shell-empty">{t("truncated")}</p>}
			{children}
		</div>
	);
}

function Ending({ state }: { state: ShellCardProps["state"] }) {
	const t = useWords(cardWords);
	const language = useLanguage();
	const now = useNow(state.kind === "running");
	if (state.kind === "running") {
		return (
			<span className="badge bg-accent-soft text-accent">
				<span className="pulse-dot size-1.5 rounded-full bg-accent" />
				{formatDuration(now - Date.parse(state.startedAt), DURATION_UNITS[language])}
			</span>
		);
	}
	const { exitCode, durationMs } = state;
	const words = exitCode === 0 ? t("exitOk") : exitCode === null ? t("exitUnknown") : t("exitCode", { code: String(exitCode) });
	return (
		<span
			className={exitCode === 0 ? "badge bg-success-soft text-success" : "badge bg-danger-soft text-danger"}
			title={durationMs === undefined ? undefined : formatDuration(durationMs, DURATION_UNITS[language])}
		>
			{words}
		</span>
	);
}

/** Where this output stands: going with the next message, used, or left out. */
export function ShellContext(props: { conversationId: string; messageId: string; chars: number | undefined; dropped: boolean }) {
	const t = useWords(cardWords);
	const { dropContext, trimContext } = useActions();
	const { conversationId, messageId, chars, dropped } = props;
	if (chars === undefined) return <p className="shell-foot">{dropped ? t("contextDropped") : t("contextUsed")}</p>;
	return (
		<div className="shell-foot">
			<span className="flex-1">{t("inContext")}</span>
			{chars > TRIMMED_CHARS * 1.5 && (
				<Button small kind="quiet" onClick={() => trimContext(conversationId, messageId, TRIMMED_CHARS)}>
					{t("trim", { count: TRIMMED_CHARS })}
				</Button>
			)}
			<Button small kind="quiet" onClick={() => dropContext(conversationId, messageId)}>
				{t("drop")}
			</Button>
		</div>
	);
}

const TRIMMED_CHARS = 1_000;

/** The last two folders are what tells places apart. */
function shortPath(path: string): string {
	const parts = path.split("/").filter((part) => part !== "");
	return parts.length <= 2 ? path : `…/${parts.slice(-2).join("/")}`;
}
