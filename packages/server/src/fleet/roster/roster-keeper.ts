import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { Bus } from "../bus.ts";
import { subjects } from "../subjects.ts";
import type { Roster } from "./roster.ts";

const SPACING_MS = 1_000;
const REGULAR_MS = 60_000;
/** Whoever is first makes the new key; the others see it in time. */
const ROTATE_WITHIN_MS = 3_000;

/** Keeps the roster up to date, and makes a new key when somebody has left. */
export interface RosterKeeper {
	/** Something hints at a change. */
	look(): void;
	close(): void;
}

export function createRosterKeeper(deps: {
	roster: Roster;
	bus: Bus;
	fleet: string;
	self: string;
	clock: Clock;
	logger: Logger;
	isServing: () => boolean;
}): RosterKeeper {
	const { roster, clock } = deps;
	let lookedAt = Number.NEGATIVE_INFINITY;
	let isClosed = false;
	let cancelLook: Cancel = () => undefined;
	let cancelRotate: Cancel = () => undefined;

	function lookIn(ms: number): void {
		cancelLook();
		cancelLook = clock.after(ms, () => {
			lookedAt = clock.elapsed();
			roster
				.sync()
				.catch(() => undefined)
				.finally(() => {
					if (isClosed) return;
					lookIn(REGULAR_MS);
					rotateIfDue();
				});
		});
	}
	function rotateIfDue(): void {
		const isOurs = roster.members.find(deps.self)?.role === "full" && !roster.held.isBehind();
		cancelRotate();
		if (!roster.isRotationDue() || !isOurs || !deps.isServing()) return;
		cancelRotate = clock.after(Math.floor(Math.random() * ROTATE_WITHIN_MS), () => {
			if (isClosed || !roster.isRotationDue()) return;
			roster.rotate().catch((error: unknown) => {
				deps.logger.warn({ err: error }, "A new key for the fleet could not be made; it is tried again");
			});
		});
	}
	const look = () => lookIn(Math.max(0, lookedAt + SPACING_MS - clock.elapsed()));
	const ends = [deps.bus.subscribe(subjects.members(deps.fleet), look), roster.onChange(rotateIfDue)];
	lookIn(0);
	return {
		look,
		close() {
			isClosed = true;
			cancelLook();
			cancelRotate();
			for (const end of ends) end();
		},
	};
}
