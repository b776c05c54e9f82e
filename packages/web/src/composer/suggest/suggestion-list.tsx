import clsx from "clsx";
import { useEffect, useRef } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { composerWords } from "../composer-messages.ts";
import type { Suggestions } from "./use-suggestions.ts";

/** The list that the message box owns: focus stays in the box, `aria-activedescendant` points here. */
export function SuggestionList({ id, suggestions, onChoose }: { id: string; suggestions: Suggestions; onChoose: (index: number) => void }) {
	const t = useWords(composerWords);
	const list = useRef<HTMLDivElement>(null);
	const { kind, items, active, state } = suggestions;

	useEffect(() => {
		list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: "nearest" });
	}, [active]);

	if (kind === undefined) return null;
	if (items.length === 0) {
		if (state === "idle") return null;
		return (
			<p
				className="absolute inset-x-0 bottom-full z-30 mb-2 rounded-xl border bg-surface px-3 py-2 text-muted text-sm shadow-float"
				role="status"
			>
				{t(state === "searching" ? "searching" : "noFiles")}
			</p>
		);
	}
	return (
		<div
			ref={list}
			id={id}
			role="listbox"
			tabIndex={0}
			aria-label={t(kind)}
			className="absolute inset-x-0 bottom-full z-30 mb-2 max-h-[min(18rem,45dvh)] overflow-y-auto overscroll-contain rounded-xl border bg-surface p-1 shadow-float"
		>
			{items.map((item, index) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the message box, which keeps the focus
				<div
					key={item.id}
					id={`${id}-${index}`}
					data-index={index}
					role="option"
					tabIndex={-1}
					aria-selected={index === active}
					onMouseDown={(event) => event.preventDefault()}
					onMouseMove={() => suggestions.setActive(index)}
					onClick={() => onChoose(index)}
					className={clsx("flex cursor-pointer items-baseline gap-3 rounded-lg px-3 py-2", index === active && "bg-hover")}
				>
					<span className="shrink-0 font-medium font-mono text-sm">{item.label}</span>
					<span className="min-w-0 truncate text-muted text-sm">{item.hint === item.label ? "" : item.hint}</span>
				</div>
			))}
		</div>
	);
}
