import { visibleCommand } from "@rightseat/protocol/visible-command";
import { useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import type { Hunk } from "../diff/hunk.ts";
import { gitApi } from "../git-api.ts";
import type { ShownFile } from "../shown.ts";
import { Counts, StatusMark } from "../tree/file-marks.tsx";
import { useLoaded } from "../use-review.ts";
import { commitWords } from "./commit-messages.ts";

/** Lines of a hunk that tell which one it is. */
const TOLD_LINES = 8;

/** By path: all of the file, or only these hunks of it. What is missing stays out. */
export type Choice = ReadonlyMap<string, "all" | ReadonlySet<string>>;

/** One file of a commit: all, nothing, or some of its hunks. */
export function CommitFile(props: {
	conversationId: string;
	file: ShownFile;
	chosen: "all" | ReadonlySet<string> | undefined;
	onChoose: (chosen: "all" | ReadonlySet<string> | undefined) => void;
}) {
	const { conversationId, file, chosen, onChoose } = props;
	const t = useWords(commitWords);
	const [open, setOpen] = useState(false);
	const path = visibleCommand(file.path);
	return (
		<li className="border-b px-3 py-1.5 last:border-b-0">
			<div className="flex items-center gap-2 text-sm">
				<input
					type="checkbox"
					aria-label={t("take", { path })}
					checked={chosen !== undefined}
					ref={(box) => {
						if (box !== null) box.indeterminate = typeof chosen === "object";
					}}
					onChange={() => onChoose(chosen === undefined ? "all" : undefined)}
				/>
				<StatusMark status={file.status} />
				<span className="min-w-0 flex-1 truncate font-mono text-xs" title={path}>
					{path}
				</span>
				<Counts {...file} />
				{!file.binary && file.status === "modified" && (
					<button type="button" className="text-accent text-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
						{t("lines")}
					</button>
				)}
			</div>
			{open && <Hunks {...{ conversationId, file, chosen, onChoose }} />}
		</li>
	);
}

function Hunks({ conversationId, file, chosen, onChoose }: Parameters<typeof CommitFile>[0]) {
	const t = useWords(commitWords);
	const { loaded } = useLoaded(
		file.path,
		(signal) => gitApi.hunks(conversationId, "uncommitted", { path: file.path, ignoreWhitespace: false }, signal),
		0,
	);
	if (loaded.kind === "loading") return null;
	if (loaded.kind === "failed") return <p className="text-danger text-xs">{loaded.message}</p>;
	const ids = loaded.value.hunks.map(({ id }) => id);
	const taken = chosen === "all" ? new Set(ids) : (chosen ?? new Set<string>());
	const toggle = (id: string) => {
		const next = new Set(taken);
		if (!next.delete(id)) next.add(id);
		onChoose(next.size === 0 ? undefined : next.size === ids.length ? "all" : next);
	};
	return (
		<ul className="pt-1 pl-6">
			{loaded.value.hunks.map((hunk) => (
				<li key={hunk.id}>
					<label className="flex items-start gap-2 py-1 text-xs">
						<input type="checkbox" className="mt-0.5" checked={taken.has(hunk.id)} onChange={() => toggle(hunk.id)} />
						<span className="min-w-0 flex-1">
							{t("takeHunk", { from: hunk.newStart, to: hunk.newStart + Math.max(0, hunk.newLines - 1) })}
							<HunkLines hunk={hunk} />
						</span>
					</label>
				</li>
			))}
		</ul>
	);
}

function HunkLines({ hunk }: { hunk: Hunk }) {
	const changed = hunk.lines.filter(({ kind }) => kind !== " ");
	return (
		<span className="mt-1 block overflow-x-auto rounded-md bg-code p-1.5 font-mono">
			{changed.slice(0, TOLD_LINES).map((line) => (
				<span
					key={`${line.oldNumber} ${line.newNumber}`}
					className={`block whitespace-pre ${line.kind === "+" ? "text-success" : "text-danger"}`}
				>
					{line.kind === "+" ? "+" : "−"} {visibleCommand(line.text)}
				</span>
			))}
			{changed.length > TOLD_LINES && "…"}
		</span>
	);
}
