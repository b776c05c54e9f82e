import { CircleAlert, FileText, LoaderCircle, X } from "lucide-react";
import { api } from "../../api/api.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { composerWords } from "../composer-messages.ts";
import { readableSize, type UploadItem } from "./upload.ts";

export function AttachmentChips(props: {
	items: readonly UploadItem[];
	onRemove: (key: string) => void;
	onRetry: (item: UploadItem) => void;
}) {
	const t = useWords(composerWords);
	if (props.items.length === 0) return null;
	return (
		<ul aria-label={t("attachments")} className="flex max-h-[22dvh] flex-wrap gap-2 overflow-y-auto px-3 pt-3">
			{props.items.map((item) => (
				<li key={item.key} className="flex max-w-full items-center gap-2 rounded-lg border bg-sunken py-1 pr-1 pl-2 text-sm">
					<ChipIcon item={item} />
					<span className="min-w-0 max-w-48 truncate">{item.name}</span>
					{item.state === "failed" ? (
						<button
							type="button"
							className="rounded px-1.5 py-0.5 text-danger text-xs underline hover:bg-hover"
							title={t("uploadFailed", { name: item.name, message: item.message })}
							onClick={() => props.onRetry(item)}
						>
							{t("tryAgain")}
						</button>
					) : (
						<span className="shrink-0 text-muted text-xs">{readableSize(item.size)}</span>
					)}
					<button
						type="button"
						aria-label={t("removeFile", { name: item.name })}
						className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
						onClick={() => props.onRemove(item.key)}
					>
						<X size={14} aria-hidden />
					</button>
				</li>
			))}
		</ul>
	);
}

function ChipIcon({ item }: { item: UploadItem }) {
	const t = useWords(composerWords);
	if (item.state === "uploading") {
		return (
			<LoaderCircle size={15} role="img" aria-label={t("uploading", { name: item.name })} className="shrink-0 animate-spin text-muted" />
		);
	}
	if (item.state === "failed") return <CircleAlert size={15} aria-hidden className="shrink-0 text-danger" />;
	if (item.mimeType.startsWith("image/")) {
		return <img src={api.attachmentUrl(item.attachment.id)} alt="" className="size-6 shrink-0 rounded object-cover" />;
	}
	return <FileText size={15} aria-hidden className="shrink-0 text-muted" />;
}
