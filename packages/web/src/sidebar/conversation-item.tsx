import type { Conversation } from "@rightseat/protocol/model/conversation";
import clsx from "clsx";
import { Archive, ArchiveRestore, Download, Ellipsis, Pencil, Pin, PinOff, Settings, Trash2 } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useRunCommand } from "../commands/use-commands.ts";
import { useWords } from "../i18n/use-words.tsx";
import { usePageEvents } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { RenameBox } from "./rename-box.tsx";
import { sidebarWords } from "./sidebar-messages.ts";
import { StateMark } from "./state-mark.tsx";
import { liveState } from "./unread.ts";

export function ConversationItem({ conversation }: { conversation: Conversation }) {
	const t = useWords(sidebarWords);
	const actions = useActions();
	const { deleteConversation } = usePageEvents();
	const run = useRunCommand();
	const openId = useApp((state) => state.openId);
	const state = useApp((app) => liveState(conversation, app.visits, app.openId));
	const [renaming, setRenaming] = useState(false);
	const link = useRef<HTMLAnchorElement>(null);
	const renamedByKey = useRef(false);
	const titleId = useId();
	const open = conversation.id === openId;
	const title = conversation.title || t("untitled");

	useEffect(() => {
		if (renaming || !renamedByKey.current) return;
		renamedByKey.current = false;
		link.current?.focus();
	}, [renaming]);
	/** The focus must not vanish with the row. */
	const stepAside = () => {
		const row = link.current?.closest("li");
		(row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector("a")?.focus();
	};

	if (renaming) {
		return (
			<RenameBox
				title={title}
				onDone={(next, by) => {
					renamedByKey.current = by === "key";
					setRenaming(false);
					if (next !== undefined && next !== conversation.title) void actions.renameConversation(conversation.id, next);
				}}
			/>
		);
	}
	return (
		<div className={clsx("group relative flex items-center rounded-lg", open ? "bg-hover" : "hover:bg-hover")}>
			<a
				ref={link}
				href={`/c/${conversation.id}`}
				aria-current={open ? "page" : undefined}
				title={`${title}\n${conversation.cwd}`}
				onClick={(event) => {
					if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
					event.preventDefault();
					actions.openConversation(conversation.id);
				}}
				onDoubleClick={() => setRenaming(true)}
				className="flex min-h-10 min-w-0 flex-1 items-center gap-2 rounded-lg py-1.5 pl-2.5 text-sm"
			>
				<span
					id={titleId}
					dir="auto"
					className={clsx("min-w-0 flex-1 truncate", (open || state === "unread" || state === "asks") && "font-medium")}
				>
					{title}
				</span>
				<StateMark state={state} />
			</a>
			<Menu
				trigger={
					<IconButton
						small
						label={t("actions")}
						aria-describedby={titleId}
						icon={<Ellipsis size={16} />}
						className="mx-1 focus-visible:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 md:opacity-0 pointer-coarse:opacity-100"
					/>
				}
			>
				<MenuItem
					icon={conversation.pinned ? <PinOff size={16} /> : <Pin size={16} />}
					onSelect={() => run("pin", { by: "pointer", conversationId: conversation.id })}
				>
					{t(conversation.pinned ? "unpin" : "pin")}
				</MenuItem>
				<MenuItem icon={<Pencil size={16} />} onSelect={() => setTimeout(() => setRenaming(true), 0)}>
					{t("rename")}
				</MenuItem>
				<MenuItem
					icon={conversation.archived ? <ArchiveRestore size={16} /> : <Archive size={16} />}
					onSelect={() => {
						stepAside();
						void actions.archiveConversation(conversation.id, !conversation.archived);
					}}
				>
					{t(conversation.archived ? "fromArchive" : "toArchive")}
				</MenuItem>
				<MenuItem icon={<Settings size={16} />} onSelect={() => run("budget", { by: "pointer", conversationId: conversation.id })}>
					{t("budget")}
				</MenuItem>
				<MenuItem icon={<Download size={16} />} onSelect={() => run("export", { by: "pointer", conversationId: conversation.id })}>
					{t("exportMarkdown")}
				</MenuItem>
				<MenuItem
					icon={<Download size={16} />}
					onSelect={() => run("export", { by: "pointer", conversationId: conversation.id, argument: "json" })}
				>
					{t("exportJson")}
				</MenuItem>
				<MenuSeparator />
				<MenuItem
					danger
					icon={<Trash2 size={16} />}
					onSelect={() => {
						stepAside();
						deleteConversation.emit(conversation.id);
					}}
				>
					{t("delete")}
				</MenuItem>
			</Menu>
		</div>
	);
}
