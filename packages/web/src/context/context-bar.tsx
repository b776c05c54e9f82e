import type { ContextPicture } from "@rightseat/protocol/http/context";
import { useWords } from "../i18n/use-words.tsx";
import { formatCount } from "../transcript/format.ts";
import { windowWords } from "./window-messages.ts";

const COLOURS: Readonly<Record<string, string>> = {
	system: "bg-accent",
	instructions: "bg-success",
	tools: "bg-warn",
	mcp: "bg-danger",
	messages: "bg-ink",
	buffer: "bg-muted",
};
const ROOM = new Set(["free"]);

/** The kinds as parts of one bar, and as a table for whoever reads it. */
export function ContextBar({ categories }: Pick<ContextPicture, "categories">) {
	const t = useWords(windowWords);
	const all = categories.reduce((sum, { tokens }) => sum + tokens, 0);
	const nameOf = (kind: string) => (isKnown(kind) ? t(`kind.${kind}`) : kind);
	return (
		<>
			<div aria-hidden="true" className="flex h-3 overflow-hidden rounded-full bg-hover">
				{categories
					.filter(({ kind }) => !ROOM.has(kind))
					.map(({ kind, tokens }) => (
						<span key={kind} className={COLOURS[kind] ?? "bg-muted"} style={{ width: `${(tokens / Math.max(1, all)) * 100}%` }} />
					))}
			</div>
			<table className="w-full text-sm">
				<thead className="sr-only">
					<tr>
						<th>{t("kind")}</th>
						<th>{t("tokens")}</th>
					</tr>
				</thead>
				<tbody>
					{categories.map(({ kind, tokens }) => (
						<tr key={kind}>
							<th scope="row" className="py-0.5 text-left font-normal">
								<span aria-hidden="true" className={`mr-2 inline-block size-2.5 rounded-sm ${COLOURS[kind] ?? "bg-hover"}`} />
								{nameOf(kind)}
							</th>
							<td className="text-right text-muted tabular-nums">{formatCount(tokens)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</>
	);
}

const KINDS = ["system", "instructions", "tools", "mcp", "messages", "free", "buffer"] as const;
const isKnown = (kind: string): kind is (typeof KINDS)[number] => KINDS.some((known) => known === kind);
