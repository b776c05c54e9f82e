import { Archive, ArrowLeft, FolderOpen, Search, Settings, SquarePen, X } from "lucide-react";
import { useRef, useState } from "react";
import { useRunCommand } from "../commands/use-commands.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useInboxParts } from "../inbox/use-inbox-parts.ts";
import { usePageEvent } from "../state/page-events.ts";
import { usePageEvents } from "../state/ui-slice.tsx";
import { useActions } from "../state/use-page.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useLazy } from "../ui/use-lazy.ts";
import { ConversationList } from "./conversation-list.tsx";
import { sidebarWords } from "./sidebar-messages.ts";

/** Nobody searches before the page is there; the code is, when somebody does. */
const loadResults = () => import("./search-results.tsx");

/** Finding and keeping conversations. */
export function Sidebar() {
	const t = useWords(sidebarWords);
	const { show, loadConversations } = useActions();
	const run = useRunCommand();
	const [query, setQuery] = useState("");
	const results = useLazy(loadResults, "idle");
	const inbox = useInboxParts();
	const [archived, setArchived] = useState(false);
	const search = useRef<HTMLInputElement>(null);

	usePageEvent(usePageEvents().search, (wanted) => {
		setQuery(wanted);
		requestAnimationFrame(() => search.current?.focus());
	});

	const toggleArchive = () => {
		setArchived(!archived);
		void loadConversations({ archived: !archived });
	};
	return (
		<nav aria-label={t("conversations")} className="flex h-full flex-col">
			<div className="flex items-center gap-2 px-3 pt-3 pb-2">
				<img src="/icon.svg" alt="" width={24} height={24} className="rounded-md" />
				<span className="flex-1 font-semibold tracking-tight">Rightseat</span>
				<IconButton
					label={t("settings")}
					icon={<Settings size={18} />}
					onClick={() => {
						show({ sidebarOpen: false });
						run("settings", { by: "pointer" });
					}}
				/>
			</div>
			{inbox !== undefined && <inbox.InboxEntry />}
			<div className="flex gap-1.5 px-3 pb-2">
				<button
					type="button"
					onClick={() => run("new-conversation", { by: "pointer" })}
					className="inline-flex min-h-10 flex-1 items-center gap-2.5 rounded-lg border bg-surface px-3 font-medium text-sm hover:bg-hover"
				>
					<SquarePen size={16} aria-hidden className="text-muted" />
					{t("newConversation")}
				</button>
				<IconButton
					label={t("withOptions")}
					icon={<FolderOpen size={17} />}
					className="min-h-10 min-w-10 border bg-surface"
					onClick={() => {
						show({ sidebarOpen: false });
						run("new-with-options", { by: "pointer" });
					}}
				/>
			</div>
			<div className="relative px-3 pb-2">
				<Search size={15} aria-hidden className="pointer-events-none absolute top-3 left-5.5 text-muted" />
				<input
					ref={search}
					type="search"
					value={query}
					aria-label={t("searchMessages")}
					placeholder={t("searchMessages")}
					onChange={(event) => setQuery(event.target.value)}
					onKeyDown={(event) => {
						if (event.key !== "Escape" || query === "") return;
						event.stopPropagation();
						setQuery("");
					}}
					className="h-9 w-full rounded-lg border border-transparent bg-hover pr-8 pl-8 text-sm pointer-coarse:text-[16px] placeholder:text-muted focus:bg-surface [&::-webkit-search-cancel-button]:hidden"
				/>
				{query !== "" && (
					<IconButton
						small
						label={t("clearSearch")}
						icon={<X size={14} />}
						className="absolute top-1 right-4"
						onClick={() => {
							setQuery("");
							search.current?.focus();
						}}
					/>
				)}
			</div>
			<div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-2">
				{query.trim() === "" ? (
					<ConversationList archived={archived} />
				) : (
					results !== undefined && <results.SearchResults query={query.trim()} />
				)}
			</div>
			<div className="border-t p-2">
				<button
					type="button"
					onClick={toggleArchive}
					aria-pressed={archived}
					className="inline-flex min-h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-muted text-sm hover:bg-hover hover:text-ink"
				>
					{archived ? <ArrowLeft size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
					{t(archived ? "hideArchived" : "showArchived")}
				</button>
			</div>
		</nav>
	);
}
