import { COMMAND_FAULTS } from "./command-faults.ts";
import { ENGINE_FAULTS } from "./engine-faults.ts";
import type { FleetFault } from "./fault.ts";
import { NODE_FAULTS } from "./node-faults.ts";
import { OWNER_FAULTS } from "./owner-faults.ts";
import { SKEW_FAULTS } from "./skew-faults.ts";
import { TELEGRAM_FAULTS } from "./telegram-faults.ts";
import { TRUST_FAULTS } from "./trust-faults.ts";

/** All of them by number; the first thirty are those that the fleet was designed against. */
export const FLEET_FAULTS: readonly FleetFault[] = [
	NODE_FAULTS,
	ENGINE_FAULTS,
	OWNER_FAULTS,
	COMMAND_FAULTS,
	TRUST_FAULTS,
	TELEGRAM_FAULTS,
	SKEW_FAULTS,
]
	.flat()
	.toSorted((a, b) => a.number - b.number);
