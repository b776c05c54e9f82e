import { type Answering, createAnswering } from "./answering.ts";
import { type Ask, describeAsk } from "./asks.ts";
import type { Look } from "./look.ts";

/** Who is answered next: what was first stays first until it is settled, so that no line goes to another request than the person read. */
export interface Floor {
	/** What waits now; `isRedrawn`: all of it was just shown. Gives rows to be shown besides. */
	look(asks: readonly Ask[], isRedrawn: boolean): string[];
	readonly current: Answering | undefined;
}

export function createFloor(conversationId: string, look: Pick<Look, "words" | "paint">): Floor {
	let current: Answering | undefined;
	/** The one behind it was drawn when it came, and is far up by now. */
	let isBehind = new Set<string>();
	return {
		get current() {
			return current;
		},
		look(asks, isRedrawn) {
			const ids = new Set(asks.map(({ request }) => request.requestId));
			const [next] = asks;
			if (current !== undefined && ids.has(current.requestId)) {
				isBehind = ids;
				return isRedrawn ? current.rows() : [];
			}
			current = next === undefined ? undefined : createAnswering(next, conversationId, look);
			const again = !isRedrawn && next !== undefined && isBehind.has(next.request.requestId) ? describeAsk(next, look) : [];
			isBehind = ids;
			return [...again, ...(current?.rows() ?? [])];
		},
	};
}
