import type { FolderSetupItem } from "@rightseat/protocol/http/folders";
import { useWords } from "../i18n/use-words.tsx";
import { Visible } from "../ui/visible.tsx";
import { setupWords } from "./setup-messages.ts";

const PROBLEMS = {
	"not-json": "notJson",
	"unknown-form": "unknownForm",
	"too-large": "tooLarge",
	unreadable: "unreadable",
	outside: "outside",
} as const;

/** Things that a folder brings, each with its file and with the whole of what is started. */
export function FoundList({ title, items }: { title: string; items: readonly FolderSetupItem[] }) {
	if (items.length === 0) return null;
	return (
		<section aria-label={title} className="pt-4">
			<h4 className="font-medium text-muted text-xs">{title}</h4>
			<ul>
				{items.map((item, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: two hooks of one file may be alike, and the list is drawn as a whole.
					<FoundItem key={index} item={item} />
				))}
			</ul>
		</section>
	);
}

function FoundItem({ item }: { item: FolderSetupItem }) {
	const t = useWords(setupWords);
	const { kind, name, source, runs, env, problem } = item;
	return (
		<li className="border-b py-2 text-sm last:border-0">
			<p className="flex flex-wrap items-baseline gap-x-2">
				<span className="text-muted text-xs">{t(kind)}</span>
				<span className="min-w-0 wrap-anywhere font-medium">
					<Visible text={name} />
				</span>
				<span className="min-w-0 wrap-anywhere text-muted text-xs">{t("from", { source })}</span>
			</p>
			{runs !== undefined && (
				<pre className="mt-1 max-h-48 overflow-auto whitespace-pre-wrap wrap-anywhere rounded-md bg-sunken px-2 py-1.5 font-mono text-xs">
					<Visible text={runs} />
				</pre>
			)}
			{env !== undefined && <p className="pt-1 wrap-anywhere text-muted text-xs">{t("env", { names: env.join(", ") })}</p>}
			{problem !== undefined && <p className="pt-1 text-warn text-xs">{t(PROBLEMS[problem])}</p>}
		</li>
	);
}
