import { ArrowLeft, Download } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { CodeBlock } from "../markdown/code-block.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { languageOf } from "../review/language-of.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Visible } from "../ui/visible.tsx";
import { filesApi } from "./files-api.ts";
import { filesWords } from "./files-messages.ts";
import { readShownFile, type ShownFile, sizeText, withoutLine } from "./shown-file.ts";
import { useFetched } from "./use-fetched.ts";

/** What is in one file: code with colours, a picture, a document. */
export function FilePreview(props: { conversationId: string; cwd: string; path: string; onBack: () => void }) {
	const { conversationId, cwd, path: named, onBack } = props;
	const t = useWords(filesWords);
	const path = withoutLine(named);
	const found = useFetched(path, (signal) => filesApi.file(conversationId, path, signal));
	const [asSource, setAsSource] = useState(false);
	const shown = useMemo(() => (found.kind === "ready" ? readShownFile(path, found.value.bytes) : undefined), [found, path]);
	const isCut = found.kind === "ready" && found.value.size > found.value.bytes.length;
	return (
		<section aria-label={path} className="flex h-full min-h-0 flex-col">
			<div className="flex items-center gap-1 border-b px-2 py-1">
				<IconButton small label={t("back")} icon={<ArrowLeft size={16} />} onClick={onBack} />
				<p className="min-w-0 flex-1 truncate font-mono text-xs" title={path}>
					<Visible text={path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path} />
				</p>
				{shown?.kind === "text" && shown.isMarkdown && (
					<Button small kind="quiet" onClick={() => setAsSource(!asSource)}>
						{t(asSource ? "rendered" : "source")}
					</Button>
				)}
				<a
					className="inline-flex size-7 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-ink"
					href={filesApi.fileUrl(conversationId, path)}
					download
					title={t("download")}
					aria-label={t("download")}
				>
					<Download size={16} aria-hidden />
				</a>
			</div>
			<div className="min-h-0 flex-1 overflow-auto p-3 text-sm">
				{found.kind === "failed" && <p className="text-danger">{found.message}</p>}
				{isCut && (
					<p role="status" className="pb-2 text-muted">
						{t("cut", { shown: sizeText(found.value.bytes.length), size: sizeText(found.value.size) })}
					</p>
				)}
				{shown !== undefined && <Content {...{ shown, path, asSource }} />}
			</div>
		</section>
	);
}

function Content({ shown, path, asSource }: { shown: ShownFile; path: string; asSource: boolean }) {
	const t = useWords(filesWords);
	switch (shown.kind) {
		case "picture":
			return <Picture bytes={shown.bytes} type={shown.type} name={path} />;
		case "binary":
			return <p className="text-muted">{t("binary")}</p>;
		case "text":
			if (shown.text === "") return <p className="text-muted">{t("emptyFile")}</p>;
			if (shown.isMarkdown && !asSource) return <Markdown text={shown.text} />;
			return <CodeBlock code={shown.text} language={languageOf(path)} growing={false} />;
	}
}

/** Drawn from bytes that are here already, as a picture and nothing else. */
function Picture({ bytes, type, name }: { bytes: Uint8Array; type: string; name: string }) {
	const [url, setUrl] = useState<string>();
	useEffect(() => {
		const made = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type }));
		setUrl(made);
		return () => URL.revokeObjectURL(made);
	}, [bytes, type]);
	return url === undefined ? null : <img src={url} alt={name} className="max-w-full" />;
}
