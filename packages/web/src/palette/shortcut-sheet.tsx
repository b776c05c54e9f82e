import { KEY_COMMANDS } from "../commands/registry.ts";
import { isMac, shortcutLabel } from "../commands/shortcuts.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useUiSet } from "../state/ui-slice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { composerKeyWords, paletteWords } from "./palette-messages.ts";

export function ShortcutSheet() {
	const t = useWords(paletteWords);
	const language = useLanguage();
	const inComposer = useWords(composerKeyWords);
	const setUi = useUiSet();
	const mac = isMac();
	const composerKeys = [
		{ id: "send", keys: "Enter" },
		{ id: "line", keys: mac ? "⇧Enter" : "Shift+Enter" },
		{ id: "steer", keys: mac ? "⌘⇧Enter" : "Ctrl+Shift+Enter" },
		{ id: "history", keys: "↑" },
		{ id: "shell", keys: "!" },
		{ id: "file", keys: "@" },
		{ id: "command", keys: "/" },
	] as const;
	return (
		<Dialog open onClose={() => setUi({ dialog: undefined })} title={t("sheet")} className="dialog-wide">
			<div className="grid gap-x-8 gap-y-5 overflow-y-auto p-5 sm:grid-cols-2">
				<KeyTable
					title={t("everywhere")}
					rows={KEY_COMMANDS.map(({ id, words, keys }) => ({ id, text: words[language], keys: shortcutLabel(keys, mac) }))}
				/>
				<KeyTable title={t("inMessage")} rows={composerKeys.map(({ id, keys }) => ({ id, text: inComposer(id), keys }))} />
			</div>
		</Dialog>
	);
}

function KeyTable({ title, rows }: { title: string; rows: readonly { id: string; text: string; keys: string }[] }) {
	return (
		<section>
			<h3 className="pb-1 font-medium text-muted text-xs">{title}</h3>
			<dl>
				{rows.map((row) => (
					<div key={row.id} className="flex items-center justify-between gap-3 py-1 text-sm">
						<dt className="min-w-0">{row.text}</dt>
						<dd>
							<kbd className="whitespace-nowrap rounded-md border bg-sunken px-1.5 py-0.5 font-sans text-xs">{row.keys}</kbd>
						</dd>
					</div>
				))}
			</dl>
		</section>
	);
}
