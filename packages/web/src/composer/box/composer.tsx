import { MAX_TYPED_CHARS } from "@rightseat/protocol/limits";
import { isShellLine } from "@rightseat/protocol/parse-input";
import clsx from "clsx";
import { useId } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { openView } from "../../state/open-view.ts";
import { useActions, useApp } from "../../state/use-page.tsx";
import { useLazy } from "../../ui/use-lazy.ts";
import { useFileDrop } from "../attach/use-file-drop.ts";
import { composerWords } from "../composer-messages.ts";
import { ComposerButtons } from "./composer-buttons.tsx";
import { MessageBox } from "./message-box.tsx";
import { useComposer } from "./use-composer.ts";

const NOTHING: never[] = [];
/** Nothing waits or is attached when a page opens, nearly always; the code is there before anything is. */
const loadBeside = () => import("../beside-box.ts");
const isImage = ({ name }: { name: string }) => /\.(png|jpe?g|gif|webp)$/i.test(name);

/** Where a person speaks: to the model, with `!` to the shell, with `/` to the page. */
export function Composer() {
	const t = useWords(composerWords);
	const actions = useActions();
	const openId = useApp((state) => state.openId);
	// One by one: the view as a whole changes with every word of an answer, these do not.
	const running = useApp((state) => openView(state)?.status === "streaming");
	const queue = useApp((state) => openView(state)?.queue ?? NOTHING);
	const context = useApp((state) => openView(state)?.context ?? NOTHING);
	const online = useApp((state) => state.connection.kind === "open");

	const isInFleet = useApp((state) => state.hosts.length > 0);
	const beside = useLazy(loadBeside, "idle");
	const composer = useComposer({ running });
	const { draft, uploads, suggestions, submit } = composer;
	const draggedOver = useFileDrop(uploads.addFiles);
	const listId = useId();
	const shell = isShellLine(draft.text);
	const shellHintId = `${listId}-shell`;
	const offline = openId === undefined ? "placeholderOfflineNew" : "placeholderOffline";
	const placeholder = shell ? "placeholderShell" : !online ? offline : running ? "placeholderRunning" : "placeholder";
	return (
		<div className="relative mx-auto w-full max-w-[784px] px-3 pb-3">
			{beside !== undefined && <beside.OutboxNote />}
			{beside !== undefined && <beside.SetupNote />}
			{isInFleet && beside !== undefined && <beside.HostNote />}
			{isInFleet && beside !== undefined && <beside.HostOutbox />}
			{beside !== undefined && <beside.TodoList />}
			{openId !== undefined && beside !== undefined && <beside.QueueList conversationId={openId} items={queue} />}
			{openId !== undefined && beside !== undefined && <beside.ContextChips conversationId={openId} items={context} />}
			<div
				className={clsx(
					"@container/composer relative rounded-2xl border bg-surface shadow-float transition-colors focus-within:border-line-strong",
					shell && "border-warn focus-within:border-warn",
					draggedOver && "border-accent border-dashed",
				)}
			>
				{beside !== undefined && <beside.SuggestionList id={listId} suggestions={suggestions} onChoose={composer.choose} />}
				{draggedOver && <p className="px-4 pt-3 text-accent text-sm">{t("dropHere")}</p>}
				{beside !== undefined && draft.items.some(isImage) && <beside.UnseenImages />}
				{beside !== undefined && <beside.AttachmentChips items={draft.items} onRemove={uploads.removeFile} onRetry={uploads.retryFile} />}
				<MessageBox composer={composer} shell={shell} shellHintId={shellHintId} listId={listId} placeholder={t(placeholder)} />
				<ComposerButtons
					shell={shell}
					shellHintId={shellHintId}
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
