import { useEffect } from "react";
import { useActions, useReadApp } from "../state/use-page.tsx";
import { findShortcut, isMac } from "./shortcuts.ts";
import { useRunCommand } from "./use-commands.ts";

/** Listens for the keys of the whole page. */
export function useShortcuts(): void {
	const run = useRunCommand();
	const readApp = useReadApp();
	const { show } = useActions();
	useEffect(() => {
		function onKeyDown(event: KeyboardEvent) {
			const target = event.target;
			const typing = target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
			const inTerminal = target instanceof HTMLElement && target.closest(".xterm") !== null;
			const id = findShortcut(event, { typing, inTerminal, mac: isMac() });
			if (id === undefined || event.defaultPrevented) return;
			event.preventDefault();
			const { modals, paletteOpen } = readApp();
			// What they do would happen behind the dialog; the keys that opened the palette close it again.
			if (modals === 0) run(id, { by: "keys" });
			else if (id === "palette" && paletteOpen) show({ paletteOpen: false });
		}
		window.addEventListener("keydown", onKeyDown);
		return () => window.removeEventListener("keydown", onKeyDown);
	}, [run, readApp, show]);
}
