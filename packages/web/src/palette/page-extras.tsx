import { lazy, Suspense } from "react";
import { usePwa } from "../pwa/use-pwa.ts";
import { useDeleteWithUndo } from "../sidebar/use-delete-with-undo.ts";
import { usePageTitle } from "../sidebar/use-page-title.ts";
import { useUi } from "../state/ui-slice.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

const NewConversationDialog = lazy(() =>
	import("../sidebar/new-conversation-dialog.tsx").then((module) => ({ default: module.NewConversationDialog })),
);
const ShortcutSheet = lazy(() => import("./shortcut-sheet.tsx").then((module) => ({ default: module.ShortcutSheet })));

/** What the page does everywhere: shortcuts, undo of deletes, notifications, and the small windows. */
export function PageExtras() {
	const dialog = useUi((state) => state.dialog);
	useShortcuts();
	useDeleteWithUndo();
	usePageTitle();
	usePwa();
	return (
		<Suspense>
			{dialog === "new-conversation" && <NewConversationDialog />}
			{dialog === "shortcuts" && <ShortcutSheet />}
		</Suspense>
	);
}
