import { type Place, placeKey } from "./chat-thread.ts";

/** Messages that may wait to be worked off in one chat. */
export const MAX_LANE_WORK = 200;

/** Work of each chat in order; chats do not wait for each other. */
export function createPlaceLanes(): {
	/** False when too much waits already. */
	run(place: Place, work: () => Promise<void>): boolean;
} {
	const lanes = new Map<string, { tail: Promise<void>; waiting: number }>();
	return {
		run(place, work) {
			const key = placeKey(place);
			const lane = lanes.get(key) ?? { tail: Promise.resolve(), waiting: 0 };
			if (lane.waiting >= MAX_LANE_WORK) return false;
			lane.waiting += 1;
			// Work that failed must not take what waits behind it along.
			lane.tail = lane.tail.then(work, work).finally(() => {
				lane.waiting -= 1;
				if (lane.waiting === 0) lanes.delete(key);
			});
			lanes.set(key, lane);
			return true;
		},
	};
}
