import { useState } from "react";
import { useShortcuts } from "../commands/use-shortcuts.ts";
import { useInboxParts } from "../inbox/use-inbox-parts.ts";
import { cameByPairing } from "../login/take-login-code.ts";
import { usePwa } from "../pwa/use-pwa.ts";
import { useDeleteWithUndo } from "../sidebar/use-delete-with-undo.ts";
import { usePageTitle } from "../sidebar/use-page-title.ts";
import { useUi } from "../state/ui-slice.tsx";
import { LazyView } from "../ui/lazy-view.tsx";
import { useSentences } from "./use-sentences.ts";

const loadNewConversation = () =>
	import("../sidebar/new-conversation-dialog.tsx").then((module) => ({ View: module.NewConversationDialog }));
const loadForkDialog = () => import("../fork/fork-dialog.tsx").then((module) => ({ View: module.ForkDialog }));
const loadShareDialog = () => import("../share/share-dialog.tsx").then((module) => ({ View: module.ShareDialog }));
const loadContext = () => import("../context/context-windows.tsx").then((module) => ({ View: module.ContextWindows }));
const loadWorktrees = () => import("../review/worktrees/worktrees-dialog.tsx").then((module) => ({ View: module.WorktreesDialog }));
const loadSchedules = () => import("../schedules/schedules-dialog.tsx").then((module) => ({ View: module.SchedulesDialog }));
const loadPairedCard = () => import("../pwa/paired-card.tsx").then((module) => ({ View: module.PairedCard }));
const loadShortcutSheet = () => import("../palette/shortcut-sheet.tsx").then((module) => ({ View: module.ShortcutSheet }));

/** What the page does everywhere: shortcuts, undo of deletes, notifications, and the small windows. */
export function PageServices() {
	const dialog = useUi((state) => state.dialog);
	const context = useUi((state) => state.context !== undefined);
	const forking = useUi((state) => state.fork !== undefined);
	const [paired] = useState(() => cameByPairing(history.state));
	const inbox = useInboxParts();
	useShortcuts();
	useDeleteWithUndo();
	usePageTitle();
	usePwa();
	useSentences();
	return (
		<>
			{inbox !== undefined && <inbox.InboxKeeper />}
			{dialog === "new-conversation" && <LazyView load={loadNewConversation} />}
			{dialog === "worktrees" && <LazyView load={loadWorktrees} />}
			{dialog === "schedules" && <LazyView load={loadSchedules} />}
			{dialog === "share" && <LazyView load={loadShareDialog} />}
			{context && <LazyView load={loadContext} />}
			{forking && <LazyView load={loadForkDialog} />}
			{paired && <LazyView load={loadPairedCard} />}
			{dialog === "shortcuts" && <LazyView load={loadShortcutSheet} />}
		</>
	);
}
