import { ArrowLeft, Download } from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { CodeBlock } from "../markdown/code-block.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { languageOf } from "../review/language-of.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Visible } from "../ui/visible.tsx";
import { filesApi } from "./files-api.ts";
import { filesWords } from "./files-messages.ts";
import { readShownFile, type ShownFile, sizeText, splitLine } from "./shown-file.ts";
import { useFetched } from "./use-fetched.ts";

/** What is in one file: code with colours, a picture, a document. */
export function FilePreview(props: { conversationId: string; cwd: string; path: string; onBack: () => void }) {
	const { conversationId, cwd, path: named, onBack } = props;
	const t = useWords(filesWords);
	const { path, line } = splitLine(named);
	const found = useFetched(path, (signal) => filesApi.file(conversationId, path, signal));
	const [asSource, setAsSource] = useState(line !== undefined);
	const shown = useMemo(() => (found.kind === "ready" ? readShownFile(path, found.value.bytes) : undefined), [found, path]);
	const isCut = found.kind === "ready" && found.value.size > found.value.bytes.length;
	return (
		<section aria-label={path} className="flex h-full min-h-0 flex-col">
			<div className="flex items-center gap-1 border-b px-2 py-1">
				<IconButton small label={t("back")} icon={<ArrowLeft size={16} />} onClick={onBack} />
				<p className="min-w-0 flex-1 truncate font-mono text-xs" title={path}>
					<Visible text={path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path} />
					{line !== undefined && <span className="text-muted">:{line}</span>}
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
				{shown !== undefined && <Content {...{ shown, path, line, asSource }} />}
			</div>
		</section>
	);
}

function Content(props: { shown: ShownFile; path: string; line: number | undefined; asSource: boolean }) {
	const { shown, path, line, asSource } = props;
	const t = useWords(filesWords);
	switch (shown.kind) {
		case "picture":
			return <Picture bytes={shown.bytes} type={shown.type} name={path} />;
		case "binary":
			return <p className="text-muted">{t("binary")}</p>;
		case "text":
			if (shown.text === "") return <p className="text-muted">{t("emptyFile")}</p>;
			if (shown.isMarkdown && !asSource) return <Markdown text={shown.text} />;
			return <Code code={shown.text} path={path} line={line} />;
	}
}

/** With the line that was named in the middle of what is in sight, and marked. */
function Code({ code, path, line }: { code: string; path: string; line: number | undefined }) {
	const box = useRef<HTMLDivElement>(null);
	const mark = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		const lines = box.current?.querySelector("pre > code");
		if (line === undefined || lines == null || box.current === null || mark.current === null) return;
		const height = Number.parseFloat(getComputedStyle(lines).lineHeight);
		const at = Math.min(line, code.split("\n").length) - 1;
		const top = lines.getBoundingClientRect().top - box.current.getBoundingClientRect().top + at * height;
		Object.assign(mark.current.style, { top: `${top}px`, height: `${height}px` });
		mark.current.scrollIntoView({ block: "center" });
	}, [code, line]);
	return (
		<div ref={box} className="relative">
			<CodeBlock code={code} language={languageOf(path)} growing={false} />
			{line !== undefined && (
				<div
					ref={mark}
					aria-hidden
					data-line={line}
					className="pointer-events-none absolute inset-x-0 border-accent border-l-2 bg-accent/10"
				/>
			)}
		</div>
	);
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
