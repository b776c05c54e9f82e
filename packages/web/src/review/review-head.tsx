import type { Change } from "@rightseat/protocol/model/change";
import { ArrowLeft, Download, Ellipsis, GitBranch, GitCommitHorizontal, GitPullRequest, Redo2, Undo2, Upload, X } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { commitWords } from "./commit/commit-messages.ts";
import { reviewWords } from "./review-messages.ts";
import type { ReviewOptions } from "./review-options.ts";
import type { Shown } from "./shown.ts";
import { Counts } from "./tree/file-marks.tsx";

/** The head of the panel: how much changed, undo, and how it is shown. */
export function ReviewHead(props: {
	wide: boolean;
	change?: Change | undefined;
	counts?: Shown["counts"] | undefined;
	options?: ReviewOptions;
	changeOptions?: (patch: Partial<ReviewOptions>) => void;
	diffUrl?: string | undefined;
	onUndo?: (() => void) | undefined;
	onSeveral?: (() => void) | undefined;
	onCommit?: (() => void) | undefined;
	/** In a repository. */
	onPush?: (() => void) | undefined;
	onPullRequest?: (() => void) | undefined;
	onWorktrees?: (() => void) | undefined;
}) {
	const { wide, change, counts, options, changeOptions, diffUrl, onUndo, onSeveral, onCommit, onPush, onPullRequest, onWorktrees } = props;
	const c = useWords(commitWords);
	const t = useWords(reviewWords);
	const { show } = useActions();
	const close = () => show({ panel: undefined });
	return (
		<div className="flex h-12 shrink-0 items-center gap-1.5 border-b px-2">
			{!wide && <IconButton label={t("back")} icon={<ArrowLeft size={19} />} onClick={close} />}
			<h2 className="shrink-0 px-1.5 font-semibold text-sm">{t("changes")}</h2>
			<p className="min-w-0 flex-1 truncate text-muted text-xs">
				{counts !== undefined && counts.files > 0 && (
					<>
						{t("fileCount", { count: counts.files })} <Counts {...counts} />
						{change?.undone === true && ` · ${t("isUndone")}`}
					</>
				)}
			</p>
			{onUndo !== undefined && (
				<Button small icon={change?.undone === true ? <Redo2 size={15} /> : <Undo2 size={15} />} onClick={onUndo}>
					{t(change?.undone === true ? "redo" : "undo")}
				</Button>
			)}
			{onCommit !== undefined && (
				<Button small kind="primary" icon={<GitCommitHorizontal size={15} className="max-sm:hidden" />} onClick={onCommit}>
					{c("commit")}
				</Button>
			)}
			{options !== undefined && changeOptions !== undefined && (
				<Menu trigger={<IconButton label={t("options")} icon={<Ellipsis size={18} />} />}>
					{wide && (
						<>
							<MenuChoices
								value={options.style}
								onChange={(style) => changeOptions({ style })}
								choices={[
									{ value: "unified", label: t("unified") },
									{ value: "split", label: t("split") },
								]}
							/>
							<MenuSeparator />
						</>
					)}
					<MenuChoices
						value={options.ignoreWhitespace ? "ignore" : "show"}
						onChange={() => changeOptions({ ignoreWhitespace: !options.ignoreWhitespace })}
						choices={[{ value: "ignore", label: t("whitespace") }]}
					/>
					{(onSeveral ?? diffUrl ?? onPush) !== undefined && <MenuSeparator />}
					{onSeveral !== undefined && (
						<MenuItem icon={<Undo2 size={16} />} onSelect={onSeveral}>
							{t("undoSeveral")}
						</MenuItem>
					)}
					{onPush !== undefined && (
						<MenuItem icon={<Upload size={16} />} onSelect={onPush}>
							{c("push")}
						</MenuItem>
					)}
					{onPullRequest !== undefined && (
						<MenuItem icon={<GitPullRequest size={16} />} onSelect={onPullRequest}>
							{c("pullRequest")}
						</MenuItem>
					)}
					{onWorktrees !== undefined && (
						<MenuItem icon={<GitBranch size={16} />} onSelect={onWorktrees}>
							{c("worktrees")}
						</MenuItem>
					)}
					{diffUrl !== undefined && (
						<MenuItem icon={<Download size={16} />} onSelect={() => save(diffUrl)}>
							{t("download")}
						</MenuItem>
					)}
				</Menu>
			)}
			{wide && <IconButton label={t("back")} icon={<X size={18} />} onClick={close} />}
		</div>
	);
}

function save(url: string): void {
	const link = document.createElement("a");
	link.href = url;
	link.download = "changes.diff";
	link.click();
}
