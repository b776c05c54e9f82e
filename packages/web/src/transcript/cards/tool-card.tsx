import { formatDuration } from "@rightseat/protocol/duration";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import { visibleLine } from "@rightseat/protocol/visible-command";
import {
	Bot,
	ChevronRight,
	CircleHelp,
	CircleStop,
	FilePlus,
	FileText,
	Globe,
	type LucideIcon,
	PencilLine,
	ScrollText,
	Search,
	SquareTerminal,
	Wrench,
} from "lucide-react";
import { memo, useMemo, useState } from "react";
import { DURATION_UNITS } from "../../i18n/duration-units.ts";
import { useLanguage, useWords } from "../../i18n/use-words.tsx";
import { fileEditsOf, fileEditsOfDiffs } from "../diff/file-edit.ts";
import { useNow } from "../use-now.ts";
import { useWholeTool } from "../whole/use-whole-tool.ts";
import { WholeNote } from "../whole/whole-note.tsx";
import { cardWords } from "./card-messages.ts";
import { OutputText } from "./output-text.tsx";
import { Remembered } from "./remembered.tsx";
import { ToolBody } from "./tool-body.tsx";
import { summarizeTool, type ToolSummary } from "./tool-summary.ts";

const ICONS: Record<ToolSummary["kind"], LucideIcon> = {
	shell: SquareTerminal,
	"shell-output": ScrollText,
	"shell-kill": CircleStop,
	read: FileText,
	edit: PencilLine,
	create: FilePlus,
	search: Search,
	fetch: Globe,
	agent: Bot,
	ask: CircleHelp,
	other: Wrench,
};
/** A small change is worth seeing without a click. */
const OPEN_DIFF_LINES = 14;

/** Wider than any line of it; the whole is inside. */
const MAX_SUMMARY_CHARS = 300;

export interface ToolCardProps {
	conversationId: string;
	/** The answer that it belongs to. */
	messageId: string;
	tool: ToolRecord;
	live: boolean;
	cwd: string;
}

/** One tool call in one line; its arguments, changes and result inside. */
export const ToolCard = memo(function ToolCard(props: ToolCardProps) {
	const { live, cwd } = props;
	const t = useWords(cardWords);
	const running = live && props.tool.success === undefined;
	const [asked, setOpen] = useState<boolean>();
	const { tool, note } = useWholeTool({ ...props, running, wanted: asked === true });
	const { kind, detail } = summarizeTool(tool.toolName, tool.arguments);
	const { toolName, arguments: input, diffs } = tool;
	// A diff of what was cut would show changes that nobody made.
	const cut = (diffs === undefined ? tool.truncated?.arguments : tool.truncated?.diffs) !== undefined;
	const edits = useMemo(() => {
		if (cut) return [];
		return diffs === undefined ? fileEditsOf(toolName, input) : fileEditsOfDiffs(diffs);
	}, [cut, toolName, input, diffs]);
	const small = edits.length > 0 && edits.reduce((sum, edit) => sum + edit.lines.length, 0) <= OPEN_DIFF_LINES;
	const open = asked ?? small;
	const Icon = ICONS[kind];
	const subject = detail || edits.map((edit) => edit.path).join(", ") || (tool.title ?? "");
	// The question itself is on screen, with its buttons.
	if (kind === "ask" && running) return null;
	const line = visibleLine(relativePath(subject, cwd), MAX_SUMMARY_CHARS);
	const name = kind === "other" ? tool.toolName : t(`tool.${kind}`);
	return (
		<div className="tool">
			<details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
				<summary>
					<ChevronRight size={15} className="fold-mark" aria-hidden />
					<Icon size={15} className="tool-icon" aria-hidden />
					<span className="tool-name">{name}</span>
					<code className="tool-detail">{line.text}</code>
					{tool.shell === "agent" && <span className="tool-more">{t("ownShell")}</span>}
					{tool.allowedBy !== undefined && <Remembered rules={tool.allowedBy} />}
					{line.more > 0 && <span className="tool-more">{t("moreChars", { count: line.more })}</span>}
					{edits.length > 0 && (
						<span className="tool-counts">
							<span className="text-success">+{edits.reduce((sum, edit) => sum + edit.added, 0)}</span>{" "}
							<span className="text-danger">−{edits.reduce((sum, edit) => sum + edit.removed, 0)}</span>
						</span>
					)}
					<ToolState tool={tool} running={running} />
				</summary>
				{open && note !== undefined && <WholeNote {...note} />}
				{open && <ToolBody tool={tool} edits={edits} kind={kind} running={running} />}
			</details>
			{/* Outside, because a folded card hides what is inside it. */}
			{!open && running && tool.output !== undefined && tool.output !== "" && <OutputText text={tool.output.slice(-2_000)} live />}
		</div>
	);
});

/** Paths inside the working directory are shorter without it. */
function relativePath(text: string, cwd: string): string {
	return cwd !== "" && text.startsWith(`${cwd}/`) ? text.slice(cwd.length + 1) : text;
}

function ToolState({ tool, running }: { tool: ToolRecord; running: boolean }) {
	const t = useWords(cardWords);
	const language = useLanguage();
	const now = useNow(running);
	if (running) {
		const since = Date.parse(tool.startedAt ?? "");
		return (
			<span className="tool-state">
				<span className="pulse-dot size-2 rounded-full bg-accent" role="img" aria-label={t("running")} />
				{Number.isNaN(since) || now - since < 1_000 ? "" : formatDuration(now - since, DURATION_UNITS[language])}
			</span>
		);
	}
	const failed = tool.success === false;
	return (
		<span className={failed ? "tool-state text-danger" : "tool-state"}>
			{tool.durationMs !== undefined && formatDuration(tool.durationMs, DURATION_UNITS[language])}
			<span role="img" aria-label={failed ? t("toolFailed") : t("succeeded")} className={failed ? undefined : "text-success"}>
				{failed ? "✕" : "✓"}
			</span>
		</span>
	);
}
