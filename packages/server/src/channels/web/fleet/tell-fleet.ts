import type { Everywhere } from "../../../core/fleet/everywhere.ts";
import { hostView, outboxItem, statusView } from "../http/routes/fleet.ts";
import type { OutFrame } from "../ws/frames.ts";

/** How the fleet looks now, for a page that has just come. */
export const fleetFrames = ({ hosts, outbox }: Pick<Everywhere, "hosts" | "outbox">): OutFrame[] => [
	{ type: "fleet:hosts", data: { hosts: hosts().map(hostView) } },
	{ type: "fleet:outbox", data: { items: outbox.list().map(outboxItem) } },
];

/** Tells every page when the hosts, or what waits for them, look different. */
export function tellFleet(
	everywhere: Pick<Everywhere, "hosts" | "onHosts" | "outbox" | "status">,
	broadcast: (frame: OutFrame) => void,
): () => void {
	let last = "";
	const stops = [
		everywhere.onHosts(() => {
			const hosts = everywhere.hosts().map(hostView);
			// A beat moves only `lastSeen`, which no page has to hear of every few seconds.
			// That the fleet stands differently a page hears as the hosts, and asks how.
			const looks = JSON.stringify([hosts.map(({ lastSeen: _, ...host }) => host), statusView(everywhere.status())]);
			if (looks === last) return;
			last = looks;
			broadcast({ type: "fleet:hosts", data: { hosts } });
		}),
		everywhere.outbox.onChange(() => broadcast({ type: "fleet:outbox", data: { items: everywhere.outbox.list().map(outboxItem) } })),
	];
	return () => {
		for (const stop of stops) stop();
	};
}
