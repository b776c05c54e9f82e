import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { createNatsCourier } from "../../../packages/server/src/fleet/nats/create-nats-courier.ts";
import { subjects } from "../../../packages/server/src/fleet/subjects.ts";

/** Counts the beats of all hosts, as each of them hears those of the others. */
export async function listenToBeats(url: string, fleet: string): Promise<{ take(): number; close(): Promise<void> }> {
	const courier = createNatsCourier({ url, allowOld: true }, { clock: systemClock, name: "bench" });
	await courier.ready();
	let heard = 0;
	courier.bus.subscribe(subjects.beat(fleet, "*"), () => {
		heard += 1;
	});
	return {
		take() {
			const count = heard;
			heard = 0;
			return count;
		},
		close: () => courier.close(),
	};
}
