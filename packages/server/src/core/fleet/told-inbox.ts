import { type HostInbox, MAX_TOLD_ITEMS } from "@rightseat/protocol/fleet/inbox";
import type { InboxItem } from "@rightseat/protocol/model/inbox";

/** An inbox is told whole whenever it changes, to every host: it fits one small message. */
export const MAX_TOLD_BYTES = 49_152;
/** Of one item; a longer question or permission request is answered in its conversation. */
export const MAX_ITEM_BYTES = 8_192;

/** As much of this host's inbox as others are told, what needs a person most first. */
export function fitInbox({ items, snoozed }: HostInbox): HostInbox {
	const told = fit(items, MAX_TOLD_BYTES);
	return { items: told, snoozed: fit(snoozed, MAX_TOLD_BYTES - bytesOf(told)) };
}

function fit<T extends InboxItem>(items: readonly T[], maxBytes: number): T[] {
	let left = maxBytes;
	const lean = items.slice(0, MAX_TOLD_ITEMS).map((item) => (bytesOf(item) > MAX_ITEM_BYTES ? withoutAsk(item) : item));
	const end = lean.findIndex((item) => {
		left -= bytesOf(item) + 1;
		return left < 0;
	});
	return end === -1 ? lean : lean.slice(0, end);
}

/** What waits is told; to answer it one opens its conversation. */
function withoutAsk<T extends InboxItem>(item: T): T {
	const lean = { ...item };
	delete lean.question;
	delete lean.permission;
	delete lean.plan;
	delete lean.form;
	return lean;
}

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
