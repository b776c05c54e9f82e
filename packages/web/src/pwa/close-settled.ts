import type { Push } from "./worker-inbox.ts";

/** A notification that is shown, as far as it matters here. */
export interface ShownNotification {
	readonly data: unknown;
	close(): void;
}

/** A push that only says that something is settled: it closes the notification about it, and no newer one of the same conversation. */
export function isSettled({ code }: Push): boolean {
	return code === "settled";
}

export function closeSettled(shown: readonly ShownNotification[], { item }: Push): void {
	for (const notification of shown) if (itemOf(notification.data) === item) notification.close();
}

function itemOf(data: unknown): unknown {
	return typeof data === "object" && data !== null && "item" in data ? data.item : undefined;
}
