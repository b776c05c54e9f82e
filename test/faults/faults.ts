import type { Fault } from "./fault.ts";
import { MODEL_FAULTS } from "./kinds/model-faults.ts";
import { NETWORK_FAULTS } from "./kinds/network-faults.ts";
import { PROCESS_FAULTS } from "./kinds/process-faults.ts";
import { SHELL_FAULTS } from "./kinds/shell-faults.ts";
import { TELEGRAM_FAULTS } from "./kinds/telegram-faults.ts";

export const FAULTS: Fault[] = [...PROCESS_FAULTS, ...NETWORK_FAULTS, ...MODEL_FAULTS, ...SHELL_FAULTS, ...TELEGRAM_FAULTS];
