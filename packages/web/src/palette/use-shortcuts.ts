import { useEffect, useRef } from "react";
import { groupConversations } from "../sidebar/group-conversations.ts";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { findShortcut, type ShortcutId } from "./shortcuts.ts";

export const isMac = () => /mac|iphone|ipad/i.test(navigator.platform);

/** Listens for the shortcuts of the whole page. */
export function useShortcuts(): void {
	const run = useRunShortcut();
	const modals = useApp((state) => state.modals);
	const paletteOpen = useApp((state) => state.paletteOpen);
	const { show } = useActions();
	const latest = useRef({ run, modals, paletteOpen });
	latest.current = { run, modals, paletteOpen };
	useEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			const target = event.target;
			const editable = target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
			// A terminal needs every key for itself except the ones that leave it.
			const inTerminal = target instanceof HTMLElement && target.closest(".xterm") !== null;
			const id = findShortcut(event, { typing: editable, mac: isMac() });
			if (id === undefined || event.defaultPrevented || (inTerminal && id !== "terminal" && id !== "palette")) return;
			event.preventDefault();
			// What they do would happen behind the dialog; the keys that opened the palette close it again.
			if (latest.current.modals === 0) latest.current.run(id);
			else if (id === "palette" && latest.current.paletteOpen) show({ paletteOpen: false });
		};
		window.addEventListener("keydown", onKeyDown);
		return () => window.removeEventListener("keydown", onKeyDown);
	}, [show]);
}

/** What a shortcut, or its line in the palette, does. */
export function useRunShortcut(): (id: ShortcutId) => void {
	const actions = useActions();
	const setUi = useUiSet();
	const deleting = useUi((state) => state.deleting);
	const openId = useApp((state) => state.openId);
	const conversations = useApp((state) => state.conversations);
	const panel = useApp((state) => state.panel);
	const sidebar = useApp((state) => state.settings.sidebar);
	const sidebarOpen = useApp((state) => state.sidebarOpen);

	const step = (by: 1 | -1) => {
		const listed = Object.values(conversations).filter(({ id, archived }) => !archived && !deleting.has(id));
		const ids = groupConversations(listed, new Date()).flatMap((group) => group.conversations.map(({ id }) => id));
		const at = openId === undefined ? -1 : ids.indexOf(openId);
		const next = ids[at < 0 ? (by === 1 ? 0 : ids.length - 1) : at + by];
		if (next !== undefined) actions.openConversation(next);
	};
	return (id) => {
		switch (id) {
			case "palette":
				return actions.show({ paletteOpen: true });
			case "new-conversation":
				actions.openConversation(undefined);
				return focusMessage();
			case "search":
				actions.changeSettings({ sidebar: true });
				actions.show({ sidebarOpen: true });
				return setUi({ searchRequest: { query: "", at: Date.now() } });
			case "previous-conversation":
				return step(-1);
			case "next-conversation":
				return step(1);
			case "focus-message":
				return focusMessage();
			case "stop":
				return openId === undefined ? undefined : actions.abort(openId);
			case "toggle-sidebar":
				actions.changeSettings({ sidebar: !sidebar });
				return actions.show({ sidebarOpen: !sidebarOpen });
			case "terminal":
			case "processes":
				return actions.show({ panel: panel === id ? undefined : id });
			case "model":
				return setUi({ modelPickerRequest: Date.now() });
			case "settings":
				return actions.show({ settingsOpen: true });
			case "shortcuts":
				return setUi({ dialog: "shortcuts" });
		}
	};
}

function focusMessage(): void {
	document.getElementById("message")?.focus();
}
