import type { InboxItem } from "@rightseat/protocol/model/inbox";
import type { KeyboardEvent } from "react";
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
import { useInboxRows } from "./use-inbox-rows.ts";

/** Everything that waits, answered in place. */
export function InboxPanel() {
	const t = useWords(inboxWords);
	const { open, seen, snooze, wake, settleMissed } = useInbox();
	const items = useUi((state) => state.inbox?.items) ?? [];
	const snoozed = useUi((state) => state.inbox?.snoozed) ?? [];
	const isSettling = useSettling(items.map(({ id }) => id));
	const { hasKeys, indexOf, find, take, mayDecide, onFocus, onClick } = useInboxRows(items);

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
		if (meant.kind !== "move" && !mayDecide(item.id)) return;
		switch (meant.kind) {
			case "move":
				find(items[index + meant.by])?.focus();
				return;
			case "choose":
				find(item)?.querySelectorAll<HTMLButtonElement>(".ask button:not([type=submit])")[meant.index]?.click();
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
							ref={take(item.id)}
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
