import type { QueueItem } from "@rightseat/protocol/model/queue";
import clsx from "clsx";
import { ArrowDown, ArrowUp, CornerDownRight, GripVertical, Pencil, Trash2 } from "lucide-react";
import { type DragEvent, type MouseEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { QueueEditor } from "./queue-editor.tsx";
import { queueWords } from "./queue-messages.ts";

export function QueueRow(props: {
	item: QueueItem;
	first: boolean;
	last: boolean;
	dragging: boolean;
	onDragStart: () => void;
	onDragEnd: () => void;
	onDropHere: (half: "upper" | "lower") => void;
	onMove: (step: -1 | 1) => void;
	onEdit: (content: string) => void;
	/** All of its text; undefined when it could not be had. */
	loadWhole: () => Promise<string | undefined>;
	onDrop: () => void;
	onSendNow: () => void;
}) {
	const t = useWords(queueWords);
	const [draft, setDraft] = useState<string>();
	const editing = draft !== undefined;
	const edited = useRef(false);
	const editButton = useRef<HTMLButtonElement>(null);
	const textId = useId();
	useEffect(() => {
		if (!editing && edited.current) editButton.current?.focus();
		edited.current = editing;
	}, [editing]);
	const [over, setOver] = useState<"upper" | "lower">();
	const half = (event: DragEvent<HTMLElement>) => {
		const box = event.currentTarget.getBoundingClientRect();
		return event.clientY < box.top + box.height / 2 ? "upper" : "lower";
	};
	// Saving the beginning of a prompt that is here only in part would throw its end away.
	const edit = async () => setDraft(props.item.truncated === undefined ? props.item.content : await props.loadWhole());
	if (editing) {
		return (
			<li>
				<QueueEditor
					content={draft}
					onCancel={() => setDraft(undefined)}
					onSave={(content) => {
						setDraft(undefined);
						if (content !== draft) props.onEdit(content);
					}}
				/>
			</li>
		);
	}
	return (
		<li
			draggable
			onDragStart={(event) => {
				event.dataTransfer.effectAllowed = "move";
				event.dataTransfer.setData("text/plain", props.item.content);
				props.onDragStart();
			}}
			onDragEnd={props.onDragEnd}
			onDragOver={(event) => {
				event.preventDefault();
				setOver(half(event));
			}}
			onDragLeave={() => setOver(undefined)}
			onDrop={(event) => {
				event.preventDefault();
				event.stopPropagation();
				setOver(undefined);
				props.onDropHere(half(event));
			}}
			className={clsx(
				"flex items-center gap-1 rounded-lg border-y-2 border-transparent pl-1 hover:bg-hover",
				props.dragging && "opacity-50",
				over === "upper" && "border-t-accent",
				over === "lower" && "border-b-accent",
			)}
		>
			<GripVertical size={14} aria-hidden className="hidden shrink-0 cursor-grab text-muted md:block" />
			<span id={textId} dir="auto" className="min-w-0 flex-1 truncate py-1.5 text-sm">
				{props.item.content}
			</span>
			<RowButton label={t("moveUp")} of={textId} disabled={props.first} onClick={() => props.onMove(-1)}>
				<ArrowUp size={15} aria-hidden />
			</RowButton>
			<RowButton label={t("moveDown")} of={textId} disabled={props.last} onClick={() => props.onMove(1)}>
				<ArrowDown size={15} aria-hidden />
			</RowButton>
			<RowButton label={t("edit")} of={textId} ref={editButton} onClick={() => void edit()}>
				<Pencil size={14} aria-hidden />
			</RowButton>
			<RowButton label={t("steerNow")} of={textId} onClick={props.onSendNow}>
				<CornerDownRight size={15} aria-hidden />
			</RowButton>
			<RowButton
				label={t("drop")}
				of={textId}
				onClick={(event) => {
					neighbour(event.currentTarget)?.focus();
					props.onDrop();
				}}
			>
				<Trash2 size={14} aria-hidden />
			</RowButton>
		</li>
	);
}

/** The same button of the next row, else of the one before, else the message box: the focus must not vanish with the row. */
function neighbour(button: HTMLElement): HTMLElement | null {
	const row = button.closest("li");
	const other = row?.nextElementSibling ?? row?.previousElementSibling;
	return other?.querySelector<HTMLElement>("button:last-of-type") ?? document.getElementById("message");
}

function RowButton(props: {
	label: string;
	/** Id of the text that it is about. */
	of: string;
	disabled?: boolean;
	onClick: (event: MouseEvent<HTMLButtonElement>) => void;
	ref?: Ref<HTMLButtonElement>;
	children: ReactNode;
}) {
	const { disabled = false } = props;
	return (
		<button
			ref={props.ref}
			type="button"
			aria-label={props.label}
			aria-describedby={props.of}
			title={props.label}
			// A button that is disabled loses the focus, and whoever moved a prompt to the end would start again at the top of the page.
			aria-disabled={disabled}
			onClick={disabled ? undefined : props.onClick}
			className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-30"
		>
			{props.children}
		</button>
	);
}
