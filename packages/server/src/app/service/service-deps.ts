import type { CommandDeps } from "../cli/commands.ts";
import type { ServiceManager } from "./manager.ts";
import type { RunTool } from "./run-tool.ts";
import type { ServicePlace, Supervisor } from "./service-place.ts";
import type { Launch } from "./systemd-unit.ts";
import type { ServiceWords } from "./words.ts";

/** What the commands about the service of one home work with. */
export interface ServiceDeps {
	cli: CommandDeps;
	words: ServiceWords;
	supervisor: Supervisor;
	place: ServicePlace;
	manager: ServiceManager;
	/** How this very installation is started. */
	launch: Launch;
	run: RunTool;
	/** Asks the person; undefined where nobody sits before a terminal. */
	ask: ((question: string) => Promise<boolean>) | undefined;
}
