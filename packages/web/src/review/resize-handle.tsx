import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { reviewWords } from "./review-messages.ts";

/** Narrower, lines break after every word; wider, nothing is left for the conversation. */
const LEAST_WIDTH = 360;
const LEFT_FOR_CONVERSATION = 340;
const STEP = 40;

const bounded = (width: number) => Math.round(Math.max(LEAST_WIDTH, Math.min(width, window.innerWidth - LEFT_FOR_CONVERSATION)));

/** The edge of the panel: dragged, moved with the arrows, put back with a double click. */
export function ResizeHandle({ width, onWidth }: { width: number; onWidth: (width: number) => void }) {
	const t = useWords(reviewWords);
	const handle = useRef<HTMLDivElement>(null);
	const panel = () => handle.current?.closest("section") ?? undefined;
	const show = (wanted: number) => {
		const section = panel();
		if (section === undefined) return;
		if (wanted === 0) section.style.removeProperty("width");
		else section.style.width = `${bounded(wanted)}px`;
	};
	// biome-ignore lint/correctness/useExhaustiveDependencies: the width is shown when it changes; `show` reads only the page.
	useLayoutEffect(() => {
		const section = panel();
		show(width);
		return () => void section?.style.removeProperty("width");
	}, [width]);
	const drag = (event: PointerEvent) => {
		if (event.buttons !== 1) return;
		show(window.innerWidth - event.clientX);
	};
	const drop = () => {
		const section = panel();
		if (section !== undefined && section.style.width !== "") onWidth(section.getBoundingClientRect().width);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
		if (step === undefined) return;
		event.preventDefault();
		onWidth(bounded((panel()?.getBoundingClientRect().width ?? LEAST_WIDTH) + step));
	};
	return (
		// biome-ignore lint/a11y/useSemanticElements: a line between two parts that can be moved is no rule between texts.
		<div
			ref={handle}
			role="separator"
			aria-orientation="vertical"
			aria-label={t("resize")}
			aria-valuenow={width}
			aria-valuemin={LEAST_WIDTH}
			tabIndex={0}
			className="rv-edge"
			onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
			onPointerMove={drag}
			onPointerUp={drop}
			onDoubleClick={() => onWidth(0)}
			onKeyDown={onKeyDown}
		/>
	);
}
