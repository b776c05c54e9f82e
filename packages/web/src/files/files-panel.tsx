import { FileSearch } from "lucide-react";
import { useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";
import { FilePreview } from "./file-preview.tsx";
import { filesWords } from "./files-messages.ts";
import { FolderList } from "./folder-list.tsx";
import { FoundFiles } from "./found-files.tsx";

/** A quiet look at the working directory: folders, search, and what is in a file. */
export function FilesPanel() {
	const t = useWords(filesWords);
	const conversation = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]));
	if (conversation === undefined) {
		return (
			<div className="m-auto max-w-72 p-6 text-center">
				<p className="font-medium text-sm">{t("noConversation")}</p>
				<p className="pt-1 text-muted text-sm">{t("noConversationHint")}</p>
			</div>
		);
	}
	return <Files key={`${conversation.id} ${conversation.cwd}`} conversationId={conversation.id} cwd={conversation.cwd} />;
}

function Files({ conversationId, cwd }: { conversationId: string; cwd: string }) {
	const t = useWords(filesWords);
	const file = useUi((state) => state.file);
	const setUi = useUiSet();
	const open = (path: string | undefined) => setUi({ file: path });
	const [folder, setFolder] = useState(cwd);
	const [query, setQuery] = useState("");
	if (file !== undefined) return <FilePreview key={file} {...{ conversationId, cwd, path: file }} onBack={() => open(undefined)} />;
	return (
		<div className="flex h-full min-h-0 flex-col">
			<label className="flex items-center gap-2 border-b px-3 py-2">
				<FileSearch size={16} aria-hidden className="shrink-0 text-muted" />
				<span className="sr-only">{t("find")}</span>
				<input
					type="search"
					className="min-w-0 flex-1 bg-transparent text-sm outline-none"
					placeholder={t("find")}
					value={query}
					onChange={(event) => setQuery(event.target.value)}
				/>
			</label>
			{query.trim() === "" ? (
				<FolderList {...{ conversationId, cwd, folder }} onFolder={setFolder} onFile={open} />
			) : (
				<FoundFiles {...{ conversationId, query: query.trim() }} onFile={(path) => open(`${cwd}/${path}`)} />
			)}
		</div>
	);
}
