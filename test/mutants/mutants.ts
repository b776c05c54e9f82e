import { CHANGES_MUTANTS } from "./changes-mutants.ts";
import { CHANNEL_MUTANTS } from "./channel-mutants.ts";
import { COMMAND_MUTANTS } from "./command-mutants.ts";
import { CORE_MUTANTS } from "./core-mutants.ts";
import { GIT_MUTANTS } from "./git-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { RUNTIME_MUTANTS } from "./runtime-mutants.ts";
import { SHELL_MUTANTS } from "./shell-mutants.ts";
import { STORE_MUTANTS } from "./store-mutants.ts";
import { TELEGRAM_MUTANTS } from "./telegram-mutants.ts";

export const AREAS: Record<string, readonly Mutant[]> = {
	core: CORE_MUTANTS,
	runtime: RUNTIME_MUTANTS,
	shell: SHELL_MUTANTS,
	store: STORE_MUTANTS,
	changes: CHANGES_MUTANTS,
	git: GIT_MUTANTS,
	channels: CHANNEL_MUTANTS,
	telegram: TELEGRAM_MUTANTS,
	commands: COMMAND_MUTANTS,
};

export const MUTANTS: readonly Mutant[] = Object.values(AREAS).flat();
