import type { SearchResult } from "@rightseat/protocol/http/conversations";
import { useEffect, useState } from "react";
import { OfflineHosts } from "../fleet/offline-hosts.tsx";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { Highlighted } from "./highlighted.tsx";
import { sidebarWords } from "./sidebar-messages.ts";

const SEARCH_AFTER_MS = 160;

export function SearchResults({ query }: { query: string }) {
	const t = useWords(sidebarWords);
	const language = useLanguage();
	const { search, openConversation } = useActions();
	const [found, setFound] = useState<{ query: string; results: SearchResult[]; problem?: unknown }>();
	const say = useFailureText();

	useEffect(() => {
		const aborted = new AbortController();
		const timer = setTimeout(async () => {
			try {
				const results = await search(query, aborted.signal);
				if (!aborted.signal.aborted) setFound({ query, results });
			} catch (error) {
				if (!aborted.signal.aborted) setFound({ query, results: [], problem: error });
			}
		}, SEARCH_AFTER_MS);
		return () => {
			clearTimeout(timer);
			aborted.abort();
		};
	}, [query, search]);

	if (found === undefined) return null;
	const note =
		found.problem !== undefined
			? t("searchFailed", { message: say(found.problem) })
			: found.results.length === 0
				? t("noResults", { query: found.query })
				: t("resultCount", { count: found.results.length });
	return (
		<>
			<p role="status" className="px-2.5 pt-2 pb-1 text-muted text-xs">
				{note}
			</p>
			<ul aria-label={t("results")}>
				{found.results.map((result) => (
					<li key={`${result.conversationId} ${result.messageId}`}>
						<a
							href={`/c/${result.conversationId}`}
							onClick={(event) => {
								if (event.metaKey || event.ctrlKey || event.shiftKey) return;
								event.preventDefault();
								openConversation(result.conversationId, { messageId: result.messageId });
							}}
							className="block rounded-lg px-2.5 py-2 hover:bg-hover"
						>
							<span className="flex items-baseline gap-2">
								<span className="min-w-0 flex-1 truncate font-medium text-sm">{result.title || t("untitled")}</span>
								<time dateTime={result.createdAt} className="shrink-0 text-muted text-xs">
									{new Date(result.createdAt).toLocaleDateString(language, { month: "short", day: "numeric" })}
								</time>
							</span>
							<span className="line-clamp-2 text-muted text-xs">
								<Highlighted text={result.snippet} query={found.query} />
							</span>
						</a>
					</li>
				))}
			</ul>
			<div className="px-2.5">
				<OfflineHosts />
			</div>
		</>
	);
}
