import type { Change } from "@rightseat/protocol/model/change";
import { ArrowLeft, Download, Ellipsis, Redo2, Undo2, X } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { reviewWords } from "./review-messages.ts";
import type { ReviewOptions } from "./review-options.ts";
import { Counts } from "./tree/file-marks.tsx";

/** The head of the panel: how much changed, undo, and how it is shown. */
export function ReviewHead(props: {
	wide: boolean;
	change?: Change | undefined;
	options?: ReviewOptions;
	changeOptions?: (patch: Partial<ReviewOptions>) => void;
	diffUrl?: string | undefined;
	onUndo?: (() => void) | undefined;
	onSeveral?: (() => void) | undefined;
}) {
	const { wide, change, options, changeOptions, diffUrl, onUndo, onSeveral } = props;
	const t = useWords(reviewWords);
	const { show } = useActions();
	const close = () => show({ panel: undefined });
	return (
		<div className="flex h-12 shrink-0 items-center gap-1.5 border-b px-2">
			{!wide && <IconButton label={t("back")} icon={<ArrowLeft size={19} />} onClick={close} />}
			<h2 className="shrink-0 px-1.5 font-semibold text-sm">{t("changes")}</h2>
			<p className="min-w-0 flex-1 truncate text-muted text-xs">
				{change !== undefined && change.files > 0 && (
					<>
						{t("fileCount", { count: change.files })} <Counts {...change} />
						{change.undone && ` · ${t("isUndone")}`}
					</>
				)}
			</p>
			{onUndo !== undefined && (
				<Button small icon={change?.undone === true ? <Redo2 size={15} /> : <Undo2 size={15} />} onClick={onUndo}>
					{t(change?.undone === true ? "redo" : "undo")}
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
					{(onSeveral !== undefined || diffUrl !== undefined) && <MenuSeparator />}
					{onSeveral !== undefined && (
						<MenuItem icon={<Undo2 size={16} />} onSelect={onSeveral}>
							{t("undoSeveral")}
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
