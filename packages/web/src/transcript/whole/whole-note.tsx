import { useRef } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { useMoveFocus } from "../cards/use-move-focus.ts";
import type { Whole } from "./use-whole.ts";
import { wholeWords } from "./whole-messages.ts";

/**
 * Says that there is more, and fetches it: one button from the offer over loading to Retry, so that the focus stays on it. When the whole is
 * there the note goes, and hands the focus on.
 */
export function WholeNote({ whole, about, onLoad }: { whole: Whole<unknown>; about: string; onLoad: () => void }) {
	const t = useWords(wholeWords);
	const note = useRef<HTMLDivElement>(null);
	useMoveFocus(note);
	if (whole.kind === "whole") return null;
	const loading = whole.kind === "loading";
	const failed = whole.kind === "failed";
	return (
		<div ref={note} className="whole-note">
			<span role="status" className={failed ? "text-danger" : undefined}>
				{failed ? whole.message : loading ? t("loadingWhole") : about}
			</span>
			<button type="button" className="more" aria-disabled={loading} onClick={loading ? undefined : onLoad}>
				{failed ? t("retry") : t("showWhole")}
			</button>
		</div>
	);
}
