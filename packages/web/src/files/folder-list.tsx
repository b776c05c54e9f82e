import { CornerLeftUp, File, Folder, Link2 } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { Visible } from "../ui/visible.tsx";
import { filesApi } from "./files-api.ts";
import { filesWords } from "./files-messages.ts";
import { sizeText } from "./shown-file.ts";
import { useFetched } from "./use-fetched.ts";

const ROW = "flex min-h-9 w-full items-center gap-2 rounded-lg px-2 text-left text-sm hover:bg-hover disabled:opacity-60";

/** What is in one folder: folders first. */
export function FolderList(props: {
	conversationId: string;
	cwd: string;
	folder: string;
	onFolder: (path: string) => void;
	onFile: (path: string) => void;
}) {
	const { conversationId, cwd, folder, onFolder, onFile } = props;
	const t = useWords(filesWords);
	const found = useFetched(folder, (signal) => filesApi.tree(conversationId, folder, signal));
	const shown = folder === cwd || folder.startsWith(`${cwd}/`) ? folder.slice(parentOf(cwd).length).replace(/^\//, "") : folder;
	return (
		<section aria-label={`${t("folder")}: ${shown}`} className="flex min-h-0 flex-1 flex-col">
			<p className="truncate px-3 pt-2 font-mono text-muted text-xs" title={folder}>
				<Visible text={shown} />
			</p>
			<ul aria-label={t("files")} aria-busy={found.kind === "loading"} className="min-h-0 flex-1 overflow-y-auto p-1.5">
				<li>
					<button type="button" className={ROW} disabled={folder === "/"} onClick={() => onFolder(parentOf(folder))}>
						<CornerLeftUp size={16} aria-hidden className="shrink-0 text-muted" />
						<span className="text-muted">{t("up")}</span>
					</button>
				</li>
				{found.kind === "failed" && <li className="p-3 text-danger text-sm">{found.message}</li>}
				{found.kind === "ready" && found.value.entries.length === 0 && <li className="p-3 text-muted text-sm">{t("empty")}</li>}
				{found.kind === "ready" &&
					found.value.entries.map(({ name, kind, size }) => {
						const path = folder === "/" ? `/${name}` : `${folder}/${name}`;
						return (
							<li key={name}>
								<button
									type="button"
									className={ROW}
									disabled={kind === "other"}
									onClick={() => (kind === "folder" ? onFolder(path) : onFile(path))}
								>
									<EntryIcon kind={kind} />
									<span className="min-w-0 flex-1 truncate">
										<Visible text={name} />
										{kind === "folder" && "/"}
									</span>
									<span className="shrink-0 text-muted text-xs">
										{size === undefined ? (kind === "link" || kind === "other" ? t(kind) : "") : sizeText(size)}
									</span>
								</button>
							</li>
						);
					})}
				{found.kind === "ready" && found.value.more && <li className="p-3 text-muted text-sm">{t("more")}</li>}
			</ul>
		</section>
	);
}

function EntryIcon({ kind }: { kind: "folder" | "file" | "link" | "other" }) {
	const Icon = kind === "folder" ? Folder : kind === "link" ? Link2 : File;
	return <Icon size={16} aria-hidden className="shrink-0 text-muted" />;
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf("/")) || "/";
