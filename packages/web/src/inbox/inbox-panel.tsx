import type { InboxItem } from "@rightseat/protocol/model/inbox";
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef } from "react";
import { useMedia } from "../app/use-media.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useUi } from "../state/ui-slice.tsx";
import { TimeStamp } from "../transcript/cards/time-stamp.tsx";
import { Button } from "../ui/button.tsx";
import { useSettling } from "../ui/use-settling.ts";
import { type InboxKey, inboxKey } from "./inbox-keys.ts";
import { inboxWords } from "./inbox-messages.ts";
import { InboxRow } from "./inbox-row.tsx";
import { snoozeTimes } from "./snooze-times.ts";
import { useInbox } from "./use-inbox.ts";

/** Longer than a key takes that was on its way. */
const HANDED_MS = 1_000;

/** Everything that waits, answered in place. */
export function InboxPanel() {
	const t = useWords(inboxWords);
	const { open, seen, snooze, wake, settleMissed } = useInbox();
	const items = useUi((state) => state.inbox?.items) ?? [];
	const snoozed = useUi((state) => state.inbox?.snoozed) ?? [];
	const hasKeys = useMedia("(pointer: fine)");
	const rows = useRef(new Map<string, HTMLLIElement>());
	const isSettling = useSettling(items.map(({ id }) => id));
	/** An item that nobody chose has the focus since then: the one before it went by itself. */
	const handedAt = useRef(Number.NEGATIVE_INFINITY);
	/** The item that was acted on last; that it goes is no surprise. */
	const acted = useRef<string>(undefined);
	/** The item that had the focus last, and its place. */
	const focused = useRef<{ id: string; index: number }>(undefined);

	useEffect(() => {
		if (hasKeys) rows.current.values().next().value?.focus();
	}, [hasKeys]);
	// An item that goes while it has the focus hands it to the one that takes its place.
	useLayoutEffect(() => {
		const last = focused.current;
		if (last === undefined || items.some(({ id }) => id === last.id)) return;
		focused.current = undefined;
		if (acted.current !== last.id) handedAt.current = performance.now();
		const next = items[Math.min(last.index, items.length - 1)];
		if (next !== undefined) rows.current.get(next.id)?.focus();
	}, [items]);

	const indexOf = (target: Node) => items.findIndex(({ id }) => rows.current.get(id)?.contains(target) === true);
	function onFocus({ target }: FocusEvent<HTMLUListElement>): void {
		const index = indexOf(target);
		const item = items[index];
		if (item !== undefined) focused.current = { id: item.id, index };
	}
	function onClick({ target }: MouseEvent<HTMLUListElement>): void {
		if (target instanceof Node) acted.current = items[indexOf(target)]?.id;
	}
	function onKeyDown(event: KeyboardEvent<HTMLUListElement>): void {
		const target = event.target;
		if (!(target instanceof HTMLElement)) return;
		const index = indexOf(target);
		const item = items[index];
		const meant = inboxKey(event, { isField: /^(INPUT|TEXTAREA)$/.test(target.tagName), isButton: target.tagName === "BUTTON" });
		if (item === undefined || meant === undefined || event.nativeEvent.isComposing) return;
		event.preventDefault();
		act(meant, item, index);
	}
	function act(meant: InboxKey, item: InboxItem, index: number): void {
		if (meant.kind !== "move") {
			// The key was meant for the one that went.
			if (performance.now() - handedAt.current < HANDED_MS) return;
			acted.current = item.id;
		}
		switch (meant.kind) {
			case "move": {
				const next = items[index + meant.by];
				if (next !== undefined) rows.current.get(next.id)?.focus();
				return;
			}
			case "choose":
				rows.current.get(item.id)?.querySelectorAll<HTMLButtonElement>(".ask button:not([type=submit])")[meant.index]?.click();
				return;
			case "open":
				open(item);
				return;
			case "seen":
				seen(item.id);
				return;
			case "later": {
				const [soonest] = snoozeTimes(new Date());
				if (soonest !== undefined) void snooze(item.id, soonest.until);
			}
		}
	}

	return (
		<div className="flex h-full flex-col">
			{items.length === 0 ? (
				<div className="m-auto max-w-80 p-6 text-center">
					<p role="status" className="font-medium text-sm">
						{t("empty")}
					</p>
					<p className="pt-1 text-muted text-sm">{t("emptyHint")}</p>
				</div>
			) : (
				<ul
					aria-label={t("inbox")}
					onKeyDown={onKeyDown}
					onFocus={onFocus}
					onClick={onClick}
					data-settling={isSettling || undefined}
					className="min-h-0 flex-1 overflow-y-auto overscroll-contain data-settling:[&>li]:pointer-events-none"
				>
					{items.map((item) => (
						<InboxRow
							key={item.id}
							item={item}
							ref={(row) => {
								if (row === null) rows.current.delete(item.id);
								else rows.current.set(item.id, row);
							}}
							onOpen={() => open(item)}
							onSeen={() => seen(item.id)}
							onSnooze={(until) => void snooze(item.id, until)}
							onMissed={settleMissed}
						/>
					))}
				</ul>
			)}
			{snoozed.length > 0 && (
				<details className="border-t px-3 py-2 text-sm">
					<summary className="cursor-pointer text-muted">{t("later", { count: snoozed.length })}</summary>
					<ul>
						{snoozed.map(({ id, title, until }) => (
							<li key={id} className="flex items-center gap-2 py-1">
								<span dir="auto" className="min-w-0 flex-1 truncate">
									{title === "" ? t("untitled") : title}
								</span>
								<span className="text-muted text-xs">
									<TimeStamp at={until} />
								</span>
								<Button small kind="quiet" onClick={() => wake(id)}>
									{t("wake")}
								</Button>
							</li>
						))}
					</ul>
				</details>
			)}
			{hasKeys && items.length > 0 && <p className="border-t px-3 py-1.5 text-muted text-xs">{t("keys")}</p>}
		</div>
	);
}
