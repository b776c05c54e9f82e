import { type RefObject, useRef, useState } from "react";
import { useEarlyBox } from "../../early/use-early-box.ts";
import { openView } from "../../state/open-view.ts";
import { usePageEvent } from "../../state/page-events.ts";
import { usePageEvents } from "../../state/ui-slice.tsx";
import { useApp } from "../../state/use-page.tsx";
import { longTextAsFile, namePasted } from "../attach/upload.ts";
import { useUploads } from "../attach/use-uploads.ts";
import { type Suggestions, useSuggestions } from "../suggest/use-suggestions.ts";
import { composerIntent } from "./composer-keys.ts";
import { useDraft } from "./use-draft.ts";
import { useHistory } from "./use-history.ts";
import { type SendMode, useSubmit } from "./use-submit.ts";

export interface ComposerModel {
	draft: ReturnType<typeof useDraft>;
	uploads: ReturnType<typeof useUploads>;
	suggestions: Suggestions;
	box: RefObject<HTMLTextAreaElement | null>;
	setCaret(position: number): void;
	submit(mode: SendMode): void;
	choose(suggestion: number): void;
	onKeyDown(event: React.KeyboardEvent<HTMLTextAreaElement>): void;
	onPaste(event: React.ClipboardEvent): void;
}

const NOTHING: never[] = [];

/** What happens in the message box: writing, choosing, pasting, walking back, sending. */
export function useComposer({ running }: { running: boolean }): ComposerModel {
	const openId = useApp((state) => state.openId);
	const messages = useApp((state) => openView(state)?.messages ?? NOTHING);
	const draft = useDraft(openId ?? "new");
	const uploads = useUploads(openId ?? "new", draft.items, draft.setItems);
	const history = useHistory(messages);
	const send = useSubmit(draft);
	const [caret, setCaret] = useState(0);
	const box = useRef<HTMLTextAreaElement>(null);
	const suggestions = useSuggestions(draft.text, caret, openId);

	function write(text: string, position = text.length): void {
		draft.setText(text);
		setCaret(position);
		requestAnimationFrame(() => {
			box.current?.focus();
			box.current?.setSelectionRange(position, position);
		});
	}

	function submit(mode: SendMode, text = draft.text): void {
		if (!send(mode, text)) return;
		history.remember(text);
		setCaret(0);
	}

	usePageEvent(usePageEvents().compose, (text) => write(text));

	useEarlyBox(openId, (early) => {
		const element = box.current;
		if (early.send) return submit("enqueue", early.text);
		if (early.text !== undefined) {
			draft.setText(early.text);
			setCaret(early.selectionStart);
		}
		if (!early.focused || element === null) return;
		// At once: a key that is pressed before the next frame would go nowhere. The text itself is there after this commit.
		element.focus();
		queueMicrotask(() => element.setSelectionRange(early.selectionStart, early.selectionEnd));
	});

	function choose(index: number): void {
		const chosen = suggestions.items[index]?.choose(draft.text);
		if (chosen === undefined) return;
		if (chosen.run) submit("enqueue", chosen.text);
		else write(chosen.text, chosen.caret);
	}

	function onKeyDown(event: React.KeyboardEvent<HTMLTextAreaElement>): void {
		const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode } = event;
		const { isComposing } = event.nativeEvent;
		const listOpen = suggestions.items.length > 0;
		const intent = composerIntent({ key, shiftKey, altKey, ctrlKey, metaKey, keyCode, isComposing }, { listOpen });
		if (intent === "type") return;
		if (intent === "older" || intent === "newer") {
			const line = history.walk(intent, draft.text, event.currentTarget.selectionStart);
			if (line === undefined) return;
			event.preventDefault();
			write(line);
			return;
		}
		event.preventDefault();
		if (intent === "send") submit("enqueue");
		else if (intent === "steer") submit(running ? "immediate" : "enqueue");
		else if (intent === "accept") choose(suggestions.active);
		else if (intent === "dismiss") suggestions.dismiss();
		else suggestions.move(intent === "next-option" ? 1 : -1);
	}

	function onPaste(event: React.ClipboardEvent): void {
		const files = [...event.clipboardData.files];
		const long = files.length === 0 ? longTextAsFile(event.clipboardData.getData("text/plain"), draft.text.length, new Date()) : undefined;
		if (files.length === 0 && long === undefined) return;
		event.preventDefault();
		uploads.addFiles(long === undefined ? files.map((file, index) => namePasted(file, index, new Date())) : [long]);
	}

	return { draft, uploads, suggestions, box, setCaret, submit, choose, onKeyDown, onPaste };
}
