import { useEffect } from "react";
import { useUiSet } from "../../state/ui-slice.tsx";
import { useActions } from "../../state/use-page.tsx";

/** A path in a message opens the file: one listener for all of them. */
export function useFileNames(): void {
	const { show } = useActions();
	const setUi = useUiSet();
	useEffect(() => {
		const open = ({ target }: MouseEvent) => {
			const file = target instanceof Element ? target.closest("button[data-path]")?.getAttribute("data-path") : null;
			if (!file) return;
			setUi({ file });
			show({ panel: "files" });
		};
		addEventListener("click", open);
		return () => removeEventListener("click", open);
	}, [show, setUi]);
}
