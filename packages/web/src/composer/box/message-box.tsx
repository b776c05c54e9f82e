import clsx from "clsx";
import { useLayoutEffect } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { composerWords } from "../composer-messages.ts";
import type { ComposerModel } from "./use-composer.ts";

/** The text box itself; as high as its text, up to a part of the window. */
export function MessageBox(props: {
	composer: Pick<ComposerModel, "draft" | "suggestions" | "box" | "setCaret" | "onKeyDown" | "onPaste">;
	shell: boolean;
	shellHintId: string;
	listId: string;
	placeholder: string;
}) {
	const t = useWords(composerWords);
	const { shell, listId } = props;
	const { draft, suggestions, box, setCaret, onKeyDown, onPaste } = props.composer;
	const listed = suggestions.items.length > 0;

	useLayoutEffect(() => {
		const element = box.current;
		if (element === null) return;
		element.style.height = "auto";
		element.style.height = draft.text === "" ? "" : `${element.scrollHeight}px`;
	}, [box, draft.text]);

	return (
		<textarea
			id="message"
			ref={box}
			aria-label={t("message")}
			aria-describedby={shell ? props.shellHintId : undefined}
			autoComplete="off"
			aria-autocomplete="list"
			aria-controls={listed ? listId : undefined}
			aria-activedescendant={listed ? `${listId}-${suggestions.active}` : undefined}
			dir="auto"
			rows={1}
			enterKeyHint="send"
			autoCapitalize={shell ? "off" : "sentences"}
			spellCheck={!shell}
			value={draft.text}
			placeholder={props.placeholder}
			onChange={(event) => {
				draft.setText(event.target.value);
				setCaret(event.target.selectionStart);
			}}
			onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
			onKeyDown={onKeyDown}
			onPaste={onPaste}
			className={clsx(
				"block max-h-[38dvh] min-h-12 w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none placeholder:text-muted",
				shell && "font-mono",
				"pointer-coarse:text-[16px]",
			)}
		/>
	);
}
