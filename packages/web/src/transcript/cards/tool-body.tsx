import { fieldOf } from "@rightseat/protocol/model/field";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import { useWords } from "../../i18n/use-words.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Visible } from "../../ui/visible.tsx";
import { DiffView } from "../diff/diff-view.tsx";
import type { FileEdit } from "../diff/file-edit.ts";
import { cardWords } from "./card-messages.ts";
import { ArgumentText, OutputText } from "./output-text.tsx";
import { formatArguments, type ToolSummary } from "./tool-summary.ts";

/** The inside of a tool card. */
export function ToolBody(props: { tool: ToolRecord; edits: readonly FileEdit[]; kind: ToolSummary["kind"]; running: boolean }) {
	const { tool, edits, kind, running } = props;
	const t = useWords(cardWords);
	const said = tool.error ?? tool.result ?? tool.output ?? "";
	const showResult = said !== "" && (edits.length === 0 || tool.error !== undefined);
	/** Copying the beginning would pass it off as the whole. */
	const copyable = tool.truncated === undefined;
	const printed = tool.error === undefined ? "" : printedBefore(tool.error, tool.output ?? "");
	return (
		<div className="tool-body">
			{edits.map((edit) => (
				<section key={edit.path} aria-label={edit.path}>
					{edits.length > 1 && (
						<p className="tool-label">
							<span className="font-mono">
								<Visible text={edit.path} />
							</span>
							{edit.kind !== "changed" && <span> · {t(edit.kind)}</span>}
						</p>
					)}
					<DiffView edit={edit} />
				</section>
			))}
			{edits.length === 0 && (
				<section>
					<p className="tool-label">{kind === "shell" ? "$" : t("arguments")}</p>
					<ArgumentText text={kind === "shell" ? commandOf(tool.arguments) : formatArguments(tool.arguments)} />
				</section>
			)}
			{printed !== "" && (
				<section>
					<p className="tool-label">
						{t("output")}
						{copyable && <CopyButton label={t("copyOutput")} text={() => printed} />}
					</p>
					<OutputText text={printed} live={false} />
				</section>
			)}
			{showResult && (
				<section>
					<p className={tool.error === undefined ? "tool-label" : "tool-label text-danger"}>
						{tool.error === undefined ? (running ? t("output") : t("result")) : t("toolFailed")}
						{copyable && <CopyButton label={t("copyOutput")} text={() => said} />}
					</p>
					<OutputText text={said} live={running} />
				</section>
			)}
		</div>
	);
}

/** What a tool printed before it was stopped; most errors repeat it already. */
function printedBefore(error: string, output: string): string {
	const lastLine = output.trimEnd().split("\n").at(-1)?.trim() ?? "";
	return lastLine !== "" && error.includes(lastLine) ? "" : output;
}

function commandOf(input: unknown): string {
	const command = fieldOf(input, "command");
	return typeof command === "string" ? command : formatArguments(input);
}
