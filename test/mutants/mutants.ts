import { ACP_MUTANTS } from "./acp-mutants.ts";
import { ASKS_MUTANTS } from "./asks-mutants.ts";
import { BRANCH_MUTANTS } from "./branch-mutants.ts";
import { CHANGES_MUTANTS } from "./changes-mutants.ts";
import { CHANNEL_MUTANTS } from "./channel-mutants.ts";
import { COMMAND_MUTANTS } from "./command-mutants.ts";
import { CORE_MUTANTS } from "./core-mutants.ts";
import { FLEET_ROOM_MUTANTS } from "./fleet-mutants.ts";
import { GIT_MUTANTS } from "./git-mutants.ts";
import { LOG_MUTANTS } from "./log-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { PAGE_MUTANTS } from "./page-mutants.ts";
import { RUNTIME_MUTANTS } from "./runtime-mutants.ts";
import { SETUP_MUTANTS } from "./setup-mutants.ts";
import { SHELL_MUTANTS } from "./shell-mutants.ts";
import { STORE_MUTANTS } from "./store-mutants.ts";
import { TELEGRAM_MUTANTS } from "./telegram-mutants.ts";
import { TERMINAL_MUTANTS } from "./terminal-mutants.ts";
import { WAITING_MUTANTS } from "./waiting-mutants.ts";
import { WEB_MUTANTS } from "./web-mutants.ts";

export const AREAS: Record<string, readonly Mutant[]> = {
	core: CORE_MUTANTS,
	waiting: WAITING_MUTANTS,
	branch: BRANCH_MUTANTS,
	asks: ASKS_MUTANTS,
	runtime: RUNTIME_MUTANTS,
	shell: SHELL_MUTANTS,
	store: STORE_MUTANTS,
	changes: CHANGES_MUTANTS,
	git: GIT_MUTANTS,
	channels: CHANNEL_MUTANTS,
	telegram: TELEGRAM_MUTANTS,
	commands: COMMAND_MUTANTS,
	web: WEB_MUTANTS,
	log: LOG_MUTANTS,
	terminal: TERMINAL_MUTANTS,
	page: PAGE_MUTANTS,
	setup: SETUP_MUTANTS,
	fleet: FLEET_ROOM_MUTANTS,
	acp: ACP_MUTANTS,
};

export const MUTANTS: readonly Mutant[] = Object.values(AREAS).flat();
