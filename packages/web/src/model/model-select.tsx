import type { Model } from "@rightseat/protocol/model/language-model";
import clsx from "clsx";
import { Check, ChevronDown } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { DemoNote } from "../composer/box/demo-note.tsx";
import { composerWords } from "../composer/composer-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import type { PageEvent } from "../state/page-events.ts";
import { ModelFacts } from "./model-facts.tsx";
import { useModelName } from "./use-model-name.ts";

/** A combobox that only selects: the focus stays on the button, the arrows walk the list. */
export function ModelSelect(props: {
	models: readonly Model[];
	fallback: string | undefined;
	value: string | undefined;
	openRequest?: PageEvent<void>;
	/** As wide as its place, like a field of a form. */
	wide?: boolean;
	onChange: (model: string) => void;
}) {
	const t = useWords(composerWords);
	const nameOf = useModelName();
	const listId = useId();
	const root = useRef<HTMLDivElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	const [open, setOpen] = useState(false);
	const [active, setActive] = useState(0);
	const chosen = props.models.find(({ id }) => id === props.value);

	const show = () => {
		setActive(
			Math.max(
				0,
				props.models.findIndex(({ id }) => id === props.value),
			),
		);
		setOpen(true);
		button.current?.focus();
	};
	const newestShow = useRef(show);
	newestShow.current = show;
	useEffect(() => props.openRequest?.listen(() => newestShow.current()), [props.openRequest]);
	useEffect(() => {
		if (!open) return;
		const close = (event: Event) => {
			if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
		};
		document.addEventListener("pointerdown", close);
		return () => document.removeEventListener("pointerdown", close);
	}, [open]);

	const choose = (index: number) => {
		const model = props.models[index];
		setOpen(false);
		if (model !== undefined && model.id !== props.value) props.onChange(model.id);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const last = props.models.length - 1;
		if (!open) {
			if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
			event.preventDefault();
			return show();
		}
		const steps: Record<string, number> = { ArrowDown: Math.min(last, active + 1), ArrowUp: Math.max(0, active - 1), Home: 0, End: last };
		const next = steps[event.key];
		if (next !== undefined) setActive(next);
		else if (event.key === "Enter" || event.key === " ") choose(active);
		else if (event.key === "Escape") setOpen(false);
		else {
			if (event.key === "Tab") setOpen(false);
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	};

	return (
		<div ref={root} className={clsx("min-w-0", props.wide === true ? "relative" : "sm:relative")}>
			<button
				ref={button}
				type="button"
				role="combobox"
				aria-label={t("model")}
				aria-haspopup="listbox"
				aria-expanded={open}
				aria-controls={listId}
				aria-activedescendant={open ? `${listId}-${active}` : undefined}
				onClick={() => (open ? setOpen(false) : show())}
				onKeyDown={onKeyDown}
				className={clsx(
					"inline-flex h-9 min-w-0 max-w-full items-center gap-1 rounded-lg px-2 text-sm hover:bg-hover hover:text-ink",
					props.wide === true ? "w-full justify-between border px-3" : "text-muted",
				)}
			>
				<span className="min-w-0 truncate">{chosen === undefined ? (props.value ?? t("modelsLoading")) : nameOf(chosen)}</span>
				<ChevronDown size={14} aria-hidden className="shrink-0" />
			</button>
			<div
				className={clsx(
					"absolute bottom-full left-0 z-40 mb-2 overflow-hidden rounded-xl border bg-surface shadow-float",
					props.wide === true ? "w-full" : "max-sm:right-0 sm:w-80",
				)}
				hidden={!open}
			>
				<div id={listId} role="listbox" aria-label={t("model")} className="max-h-[50dvh] overflow-y-auto p-1">
					{props.models.map((model, index) => (
						// biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys and keeps the focus
						<div
							key={model.id}
							id={`${listId}-${index}`}
							role="option"
							tabIndex={-1}
							aria-selected={model.id === props.value}
							onMouseDown={(event) => event.preventDefault()}
							onMouseMove={() => setActive(index)}
							onClick={() => choose(index)}
							className={clsx("flex cursor-pointer gap-2 rounded-lg px-2.5 py-2", index === active && "bg-hover")}
						>
							<Check size={15} aria-hidden className={clsx("mt-1 shrink-0 text-accent", model.id !== props.value && "invisible")} />
							<ModelFacts model={model} isDefault={model.id === props.fallback} />
						</div>
					))}
				</div>
				{chosen?.demo === true && <DemoNote onConnect={() => setOpen(false)} />}
			</div>
		</div>
	);
}
