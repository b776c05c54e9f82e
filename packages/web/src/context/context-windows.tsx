import { useUi } from "../state/ui-slice.tsx";
import { AsideDialog } from "./aside-dialog.tsx";
import { ContextDialog } from "./context-dialog.tsx";

/** The window that is open: what fills the context, or a side question. */
export function ContextWindows() {
	return useUi((state) => state.context?.startsWith("btw") === true) ? <AsideDialog /> : <ContextDialog />;
}
