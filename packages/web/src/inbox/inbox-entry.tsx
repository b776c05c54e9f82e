import { Inbox } from "lucide-react";
import { useEffect } from "react";
import { useWide } from "../app/use-media.ts";
import { useRunCommand } from "../commands/use-commands.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { inboxApi } from "./inbox-api.ts";
import { inboxWords } from "./inbox-messages.ts";

/** At the head of the list while something waits, with how much. */
export function InboxEntry() {
	const t = useWords(inboxWords);
	const run = useRunCommand();
	const { show } = useActions();
	const isOpen = useApp((state) => state.panel === "inbox");
	const count = useUi((state) => state.inbox?.items.length ?? 0);
	if (count === 0) return null;
	return (
		<div className="px-3 pb-2">
			<button
				type="button"
				aria-pressed={isOpen}
				onClick={() => {
					show({ sidebarOpen: false });
					run("inbox", { by: "pointer" });
				}}
				className="inline-flex min-h-10 w-full items-center gap-2.5 rounded-lg bg-accent-soft px-3 font-medium text-sm hover:brightness-97"
			>
				<Inbox size={16} aria-hidden className="text-accent" />
				<span className="flex-1 text-left">{t("inbox")}</span>
				<span aria-hidden className="min-w-5 rounded-full bg-accent px-1.5 text-center text-on-accent text-xs leading-5 tabular-nums">
					{count}
				</span>
				<span className="sr-only">{t("waiting", { count })}</span>
			</button>
		</div>
	);
}

/** Beside the button that opens the list, where the list itself is not to be seen: how much waits, and the way there. */
export function InboxBadge() {
	const t = useWords(inboxWords);
	const run = useRunCommand();
	const wide = useWide();
	const hasList = useApp((state) => state.settings.sidebar) && wide;
	const count = useUi((state) => state.inbox?.items.length ?? 0);
	if (count === 0 || hasList) return null;
	return (
		<button
			type="button"
			aria-label={t("waiting", { count })}
			onClick={() => run("inbox", { by: "pointer" })}
			className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg hover:bg-hover"
		>
			<span className="min-w-5 rounded-full bg-accent px-1.5 text-center text-on-accent text-xs leading-5 tabular-nums">{count}</span>
		</button>
	);
}

/** Keeps the list in step with the server, and the number on the app's icon with the list. */
export function InboxKeeper() {
	const setUi = useUiSet();
	const { onFrame } = useActions();
	const connected = useApp((state) => state.connection.kind === "open");
	const count = useUi((state) => state.inbox?.items.length);

	useEffect(() => {
		if (!connected) return;
		let round = 0;
		const load = () => {
			const mine = ++round;
			inboxApi.list().then(
				(inbox) => mine === round && setUi({ inbox }),
				// The next change, or the next connection, asks again.
				() => undefined,
			);
		};
		load();
		const stop = onFrame((frame) => frame.type === "inbox:changed" && load());
		return () => {
			round = -1;
			stop();
		};
	}, [connected, onFrame, setUi]);

	useEffect(() => {
		if (count === undefined || !("setAppBadge" in navigator)) return;
		// Not every system shows one; there is nothing to do about it.
		void (count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count)).catch(() => undefined);
	}, [count]);
	return null;
}
