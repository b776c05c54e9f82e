import { MAX_TYPED_CHARS } from "@rightseat/protocol/limits";
import { isShellLine } from "@rightseat/protocol/parse-input";
import clsx from "clsx";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { useEarlyBox } from "../../early/use-early-box.ts";
import { useWords } from "../../i18n/use-words.tsx";
import type { AppState } from "../../state/app-state.ts";
import { usePageEvent } from "../../state/page-events.ts";
import { usePageEvents } from "../../state/ui-slice.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { AttachmentChips } from "../attach/attachment-chips.tsx";
import { longTextAsFile, namePasted } from "../attach/upload.ts";
import { useFileDrop } from "../attach/use-file-drop.ts";
import { useUploads } from "../attach/use-uploads.ts";
import { composerWords } from "../composer-messages.ts";
import { ContextChips } from "../queue/context-chips.tsx";
import { OutboxNote } from "../queue/outbox-note.tsx";
import { QueueList } from "../queue/queue-list.tsx";
import { SuggestionList } from "../suggest/suggestion-list.tsx";
import { useSuggestions } from "../suggest/use-suggestions.ts";
import { ComposerButtons } from "./composer-buttons.tsx";
import { composerIntent } from "./composer-keys.ts";
import { useDraft } from "./use-draft.ts";
import { useHistory } from "./use-history.ts";
import { type SendMode, useSubmit } from "./use-submit.ts";

const NOTHING: never[] = [];

/** Where a person speaks: to the model, with `!` to the shell, with `/` to the page. */
export function Composer() {
	const t = useWords(composerWords);
	const actions = useActions();
	const openId = useApp((state) => state.openId);
	// One by one: the view as a whole changes with every word of an answer, these do not.
	const running = useApp((state) => openView(state)?.status === "streaming");
	const queue = useApp((state) => openView(state)?.queue ?? NOTHING);
	const context = useApp((state) => openView(state)?.context ?? NOTHING);
	const messages = useApp((state) => openView(state)?.messages ?? NOTHING);
	const online = useApp((state) => state.connection.kind === "open");

	const draft = useDraft(openId ?? "new");
	const uploads = useUploads(openId ?? "new", draft.items, draft.setItems);
	const history = useHistory(messages);
	const send = useSubmit(draft);
	const [caret, setCaret] = useState(0);
	const box = useRef<HTMLTextAreaElement>(null);
	const listId = useId();
	const suggestions = useSuggestions(draft.text, caret, openId);
	const draggedOver = useFileDrop(uploads.addFiles);
	const shell = isShellLine(draft.text);

	useLayoutEffect(() => {
		const element = box.current;
		if (element === null) return;
		element.style.height = "auto";
		element.style.height = draft.text === "" ? "" : `${element.scrollHeight}px`;
	}, [draft.text]);

	const write = (text: string, position = text.length) => {
		draft.setText(text);
		setCaret(position);
		requestAnimationFrame(() => {
			box.current?.focus();
			box.current?.setSelectionRange(position, position);
		});
	};

	usePageEvent(usePageEvents().compose, (text) => write(text));

	const submit = (mode: SendMode, text = draft.text) => {
		if (!send(mode, text)) return;
		history.remember(text);
		setCaret(0);
	};

	useEarlyBox(openId, (early) => {
		const element = box.current;
		if (early.send) return submit("enqueue", early.text);
		draft.setText(early.text);
		setCaret(early.selectionStart);
		if (!early.focused || element === null) return;
		// At once: a key that is pressed before the next frame would go nowhere. The text itself is there after this commit.
		element.focus();
		queueMicrotask(() => element.setSelectionRange(early.selectionStart, early.selectionEnd));
	});

	const choose = (index: number) => {
		const chosen = suggestions.items[index]?.choose(draft.text);
		if (chosen === undefined) return;
		if (chosen.run) submit("enqueue", chosen.text);
		else write(chosen.text, chosen.caret);
	};

	const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
		const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode } = event;
		const { isComposing } = event.nativeEvent;
		const listOpen = suggestions.items.length > 0;
		const intent = composerIntent({ key, shiftKey, altKey, ctrlKey, metaKey, keyCode, isComposing }, { listOpen });
		if (intent === "type") return;
		if (intent === "older" || intent === "newer") {
			const line = history.walk(intent, draft.text, event.currentTarget.selectionStart);
			if (line === undefined) return;
			event.preventDefault();
			return write(line);
		}
		event.preventDefault();
		if (intent === "send") submit("enqueue");
		else if (intent === "steer") submit(running ? "immediate" : "enqueue");
		else if (intent === "accept") choose(suggestions.active);
		else if (intent === "dismiss") suggestions.dismiss();
		else suggestions.move(intent === "next-option" ? 1 : -1);
	};

	const onPaste = (event: React.ClipboardEvent) => {
		const files = [...event.clipboardData.files];
		const long = files.length === 0 ? longTextAsFile(event.clipboardData.getData("text/plain"), draft.text.length, new Date()) : undefined;
		if (files.length === 0 && long === undefined) return;
		event.preventDefault();
		uploads.addFiles(long === undefined ? files.map((file, index) => namePasted(file, index, new Date())) : [long]);
	};

	const offline = openId === undefined ? "placeholderOfflineNew" : "placeholderOffline";
	const placeholder = shell ? "placeholderShell" : !online ? offline : running ? "placeholderRunning" : "placeholder";
	return (
		<div className="relative mx-auto w-full max-w-[784px] px-3 pb-3">
			<OutboxNote />
			{openId !== undefined && <QueueList conversationId={openId} items={queue} />}
			{openId !== undefined && <ContextChips conversationId={openId} items={context} />}
			<div
				className={clsx(
					"relative rounded-2xl border bg-surface shadow-float transition-colors focus-within:border-line-strong",
					shell && "border-warn focus-within:border-warn",
					draggedOver && "border-accent border-dashed",
				)}
			>
				<SuggestionList id={listId} suggestions={suggestions} onChoose={choose} />
				{draggedOver && <p className="px-4 pt-3 text-accent text-sm">{t("dropHere")}</p>}
				<AttachmentChips items={draft.items} onRemove={uploads.removeFile} onRetry={uploads.retryFile} />
				<textarea
					id="message"
					ref={box}
					aria-label={t("message")}
					aria-describedby={shell ? `${listId}-shell` : undefined}
					aria-autocomplete="list"
					aria-controls={suggestions.items.length > 0 ? listId : undefined}
					aria-activedescendant={suggestions.items.length > 0 ? `${listId}-${suggestions.active}` : undefined}
					dir="auto"
					rows={1}
					enterKeyHint="send"
					autoCapitalize={shell ? "off" : "sentences"}
					spellCheck={!shell}
					value={draft.text}
					placeholder={t(placeholder)}
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
				<ComposerButtons
					shell={shell}
					shellHintId={`${listId}-shell`}
					running={running}
					empty={draft.text.trim() === "" && draft.items.length === 0}
					overflow={draft.text.length - MAX_TYPED_CHARS}
					onFiles={uploads.addFiles}
					onSend={() => submit("enqueue")}
					onSteer={() => submit("immediate")}
					onStop={() => openId !== undefined && actions.abort(openId)}
				/>
			</div>
		</div>
	);
}

const openView = (state: AppState) => (state.openId === undefined ? undefined : state.views[state.openId]);
