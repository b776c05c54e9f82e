import clsx from "clsx";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { LazyView } from "../ui/lazy-view.tsx";
import { BrokenPart } from "./broken-part.tsx";
import { panelWords } from "./panel-messages.ts";
import { usePanelHistory } from "./use-panel-history.ts";

const loadTerminal = () => import("../terminal/terminal-panel.tsx").then((module) => ({ View: module.TerminalPanel }));
const loadReview = () => import("../review/review-panel.tsx").then((module) => ({ View: module.ReviewPanel }));
const loadFiles = () => import("../files/files-panel.tsx").then((module) => ({ View: module.FilesPanel }));
const loadProcesses = () => import("../processes/process-panel.tsx").then((module) => ({ View: module.ProcessPanel }));

const loadSetup = () => import("../setup/setup-panel.tsx").then((module) => ({ View: module.SetupPanel }));
const loadInbox = () => import("../inbox/inbox-panel.tsx").then((module) => ({ View: module.InboxPanel }));

const LOADERS = {
	...{ terminal: loadTerminal, processes: loadProcesses, review: loadReview, files: loadFiles, inbox: loadInbox, setup: loadSetup },
} as const;

/** Beside the conversation, or over it on a phone, where Back closes it. */
export function RightPanel({ wide }: { wide: boolean }) {
	const panel = useApp((state) => state.panel);
	const { show } = useActions();
	const t = useWords(panelWords);
	const box = useRef<HTMLElement>(null);
	usePanelHistory(wide);
	useEffect(() => {
		if (panel !== undefined && !wide) box.current?.focus();
	}, [panel, wide]);
	if (panel === undefined) return null;
	return (
		<section
			ref={box}
			tabIndex={-1}
			aria-label={t(panel)}
			className={clsx(
				"safe-top safe-bottom flex flex-col bg-surface outline-none",
				wide
					? panel === "review"
						? "w-[min(46vw,820px)] shrink-0 border-l"
						: "w-[min(44vw,640px)] shrink-0 border-l"
					: "fixed inset-0 z-30",
			)}
		>
			{/* The changes bring their own head: it says how many there are. */}
			{panel !== "review" && (
				<div className="flex items-center border-b py-1.5 pr-2 pl-4">
					<h2 className="flex-1 font-semibold text-sm">{t(panel)}</h2>
					<IconButton label={t("closePanel")} icon={<X size={18} />} onClick={() => show({ panel: undefined })} />
				</div>
			)}
			<div className="min-h-0 flex-1">
				<ErrorBoundary fallback={<BrokenPart />}>
					<LazyView key={panel} load={LOADERS[panel]} fallback={<p className="p-4 text-muted">{t("loading")}</p>} />
				</ErrorBoundary>
			</div>
		</section>
	);
}
