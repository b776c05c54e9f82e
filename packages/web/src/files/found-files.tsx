import { filesAnswer } from "@rightseat/protocol/http/files";
import { File } from "lucide-react";
import { useEffect, useState } from "react";
import { requestJson } from "../api/request.ts";
import { useWords } from "../i18n/use-words.tsx";
import { Visible } from "../ui/visible.tsx";
import { filesWords } from "./files-messages.ts";
import { useFetched } from "./use-fetched.ts";

/** Typing asks once it rests. */
const DEBOUNCE_MS = 150;

/** Files whose path has the letters in their order. */
export function FoundFiles({ conversationId, query, onFile }: { conversationId: string; query: string; onFile: (path: string) => void }) {
	const t = useWords(filesWords);
	const settled = useDebounced(query);
	const url = `/api/conversations/${encodeURIComponent(conversationId)}/files?${new URLSearchParams({ q: settled })}`;
	const found = useFetched(settled, (signal) => requestJson(url, filesAnswer, { signal }));
	const files = found.kind === "ready" ? found.value.files : [];
	return (
		<section aria-label={t("find")} className="min-h-0 flex-1 overflow-y-auto p-1.5">
			<p role="status" className="px-2 py-1 text-muted text-xs">
				{found.kind === "failed"
					? found.message
					: found.kind === "loading"
						? ""
						: files.length === 0
							? t("notFound")
							: t("found", { count: files.length })}
			</p>
			<ul aria-label={t("files")}>
				{files.map((path) => (
					<li key={path}>
						<button
							type="button"
							className="flex min-h-9 w-full items-center gap-2 rounded-lg px-2 text-left text-sm hover:bg-hover"
							onClick={() => onFile(path)}
						>
							<File size={16} aria-hidden className="shrink-0 text-muted" />
							<span className="min-w-0 flex-1 truncate">
								<Visible text={path} />
							</span>
						</button>
					</li>
				))}
			</ul>
		</section>
	);
}

function useDebounced(value: string): string {
	const [settled, settle] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => settle(value), DEBOUNCE_MS);
		return () => clearTimeout(timer);
	}, [value]);
	return settled;
}
