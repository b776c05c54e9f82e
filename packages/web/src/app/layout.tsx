import clsx from "clsx";
import { useEffect, useRef } from "react";
import { Composer } from "../composer/box/composer.tsx";
import { commonWords } from "../i18n/common-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Transcript } from "../transcript/transcript.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { useLazy } from "../ui/use-lazy.ts";
import { BrokenPart } from "./broken-part.tsx";
import { Header } from "./header.tsx";
import { useFocusReturn } from "./use-focus-return.ts";
import { useWide } from "./use-media.ts";

const loadRightPanel = () => import("./right-panel.tsx");

/** List, conversation and panel side by side; on a phone the list is a drawer and the panel covers the page. */
export function Layout() {
	const wide = useWide();
	const t = useWords(commonWords);
	const sidebarWanted = useApp((state) => state.settings.sidebar);
	// On a phone the list and the panel lie over the rest: nobody should tab into what they cannot see.
	const covered = useApp((state) => state.sidebarOpen || state.panel !== undefined) && !wide;
	return (
		<div className="safe-x flex h-dvh w-full overflow-hidden">
			<a
				href="#message"
				className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-3 focus:py-2 focus:shadow-float"
			>
				{t("skipToMessage")}
			</a>
			{wide ? sidebarWanted && <aside className="safe-top w-[280px] shrink-0 border-r bg-sunken">{<Sidebar />}</aside> : <Drawer />}
			<main inert={covered} className="relative flex min-w-0 flex-1 flex-col bg-bg">
				<Header wide={wide} />
				<ErrorBoundary fallback={<BrokenPart />}>
					<Transcript />
				</ErrorBoundary>
				<div className="safe-bottom shrink-0">
					<Composer />
				</div>
			</main>
			<ErrorBoundary fallback={<BrokenPart />}>
				<RightSide wide={wide} />
			</ErrorBoundary>
		</div>
	);
}

function Drawer() {
	const open = useApp((state) => state.sidebarOpen);
	const { show } = useActions();
	const t = useWords(commonWords);
	const list = useRef<HTMLElement>(null);
	useFocusReturn(open);
	useEffect(() => {
		if (!open) return;
		list.current?.focus();
		const close = (event: KeyboardEvent) => {
			if (event.key === "Escape") show({ sidebarOpen: false });
		};
		addEventListener("keydown", close);
		return () => removeEventListener("keydown", close);
	}, [open, show]);
	return (
		<div className={clsx("fixed inset-0 z-40", !open && "pointer-events-none")} inert={!open}>
			<button
				type="button"
				aria-label={t("closeSidebar")}
				className={clsx("absolute inset-0 bg-[rgb(12_14_17/42%)] transition-opacity duration-150", open ? "opacity-100" : "opacity-0")}
				onClick={() => show({ sidebarOpen: false })}
			/>
			<aside
				ref={list}
				tabIndex={-1}
				className={clsx(
					"safe-top safe-bottom absolute inset-y-0 left-0 w-[min(84vw,320px)] bg-sunken shadow-float outline-none transition-transform duration-200",
					open ? "translate-x-0" : "invisible -translate-x-full",
				)}
			>
				<Sidebar />
			</aside>
		</div>
	);
}

/** The panel is no part of the first load; once its code is there it also hears the Back of a phone. */
function RightSide({ wide }: { wide: boolean }) {
	const open = useApp((state) => state.panel !== undefined);
	useFocusReturn(open);
	const code = useLazy(loadRightPanel, open ? "now" : "idle");
	const t = useWords(commonWords);
	if (code !== undefined) return <code.RightPanel wide={wide} />;
	return open && <p className={clsx("bg-surface p-4 text-muted", !wide && "fixed inset-0 z-30")}>{t("loading")}</p>;
}
