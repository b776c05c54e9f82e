import clsx from "clsx";
import { useWords } from "../i18n/use-words.tsx";
import { KEY_BAR_KEYS, keyBarSequence } from "./key-bar-sequences.ts";
import { terminalWords } from "./terminal-messages.ts";

/** The keys that a phone's keyboard lacks. A tap must not take the focus, or the keyboard would close. */
export function KeyBar(props: {
	ctrl: boolean;
	onCtrl: () => void;
	onSequence: (sequence: string) => void;
	applicationCursor: () => boolean;
}) {
	const t = useWords(terminalWords);
	return (
		<div role="toolbar" aria-label={t("keys")} className="flex gap-1 overflow-x-auto border-t bg-sunken p-1.5">
			{KEY_BAR_KEYS.map((key) => (
				<button
					key={key}
					type="button"
					aria-pressed={key === "Ctrl" ? props.ctrl : undefined}
					onPointerDown={(event) => event.preventDefault()}
					onClick={() =>
						key === "Ctrl"
							? props.onCtrl()
							: props.onSequence(keyBarSequence(key, { ctrl: props.ctrl, applicationCursor: props.applicationCursor() }))
					}
					className={clsx(
						"h-10 min-w-10 shrink-0 rounded-lg border px-2.5 font-mono text-sm",
						key === "Ctrl" && props.ctrl ? "bg-accent text-on-accent" : "bg-surface",
					)}
				>
					{key}
				</button>
			))}
		</div>
	);
}
