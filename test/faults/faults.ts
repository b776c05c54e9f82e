import type { Fault } from "./fault.ts";
import { AGENT_ASK_FAULTS } from "./kinds/agent-ask-faults.ts";
import { AGENT_FAULTS } from "./kinds/agent-faults.ts";
import { ASK_FAULTS } from "./kinds/ask-faults.ts";
import { CHANGE_FAULTS } from "./kinds/change-faults.ts";
import { DAMAGE_FAULTS } from "./kinds/damage-faults.ts";
import { DELETE_FAULTS } from "./kinds/delete-faults.ts";
import { DISK_FAULTS } from "./kinds/disk-faults.ts";
import { MCP_FAULTS } from "./kinds/mcp-faults.ts";
import { MODEL_FAULTS } from "./kinds/model-faults.ts";
import { MOUNT_FAULTS } from "./kinds/mount-faults.ts";
import { NETWORK_FAULTS } from "./kinds/network-faults.ts";
import { OUTAGE_FAULTS } from "./kinds/outage-faults.ts";
import { PAGE_FAULTS } from "./kinds/page-faults.ts";
import { PROCESS_FAULTS } from "./kinds/process-faults.ts";
import { REACH_FAULTS } from "./kinds/reach-faults.ts";
import { READER_FAULTS } from "./kinds/reader-faults.ts";
import { REMOVAL_FAULTS } from "./kinds/removal-faults.ts";
import { SHELL_FAULTS } from "./kinds/shell-faults.ts";
import { STOP_FAULTS } from "./kinds/stop-faults.ts";
import { STORAGE_FAULTS } from "./kinds/storage-faults.ts";
import { TELEGRAM_FAULTS } from "./kinds/telegram-faults.ts";
import { WORK_FAULTS } from "./kinds/work-faults.ts";

export const FAULTS: Fault[] = [
	...PROCESS_FAULTS,
	...STORAGE_FAULTS,
	...STOP_FAULTS,
	...NETWORK_FAULTS,
	...READER_FAULTS,
	...MODEL_FAULTS,
	...SHELL_FAULTS,
	...CHANGE_FAULTS,
	...DELETE_FAULTS,
	...MCP_FAULTS,
	...ASK_FAULTS,
	...WORK_FAULTS,
	...REACH_FAULTS,
	...DISK_FAULTS,
	...MOUNT_FAULTS,
	...DAMAGE_FAULTS,
	...TELEGRAM_FAULTS,
	...REMOVAL_FAULTS,
	...PAGE_FAULTS,
	...OUTAGE_FAULTS,
	...AGENT_FAULTS,
	...AGENT_ASK_FAULTS,
];

const pilotOf = (fault: Fault) => fault.pilot ?? "copilot";

/** The faults of a world with this pilot. */
export const faultsOf = (pilot: "copilot" | "acp"): Fault[] => FAULTS.filter((fault) => pilotOf(fault) === pilot);

/** Faults that need nothing of Copilot or its model: they are combined with those of any agent. */
export const WITH_ANY_AGENT: readonly string[] = [
	...["kill-server", "kill-after-ack", "stop-server", "freeze-server", "clock-jump", "kill-shell", "kill-recorder", "flood"],
	...["cut-network", "freeze-network", "half-open", "slow-network", "database-locked", "telegram-lost-response"],
];
